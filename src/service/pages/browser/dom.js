/**
 * Elements from names, attributes and children. Text becomes text and never markup.
 *
 * @module
 */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Readonly<Record<string, string | number | boolean | undefined>>} Attributes */

/**
 * @template {Element} E
 * @param {E} made
 * @param {Attributes} attributes
 * @param {readonly (Node | string)[]} children
 * @returns {E}
 */
function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/**
 * An HTML element.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * An SVG element.
 *
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/**
 * The element of the page with this id.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`Cannot find #${id}: the page has no such element`);
  return found;
}
