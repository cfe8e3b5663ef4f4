/** Advances of the characters from the space to "~" in DejaVu Sans, thousandths of the font size. */
const REGULAR =
  "318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 " +
  "636 636 636 337 337 838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 " +
  "748 787 603 787 695 635 611 732 684 989 685 611 685 390 337 390 838 500 500 613 635 550 635 " +
  "615 352 635 634 278 278 579 278 974 634 612 635 635 411 521 392 634 592 818 592 592 525 636 337 636 838";

/** The same for its bold letters. */
const BOLD =
  "348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 " +
  "696 696 696 400 400 838 838 838 580 1000 774 762 734 830 683 683 821 837 372 372 775 637 995 " +
  "837 850 733 850 770 720 682 812 774 1103 771 724 725 457 365 457 838 500 500 675 716 593 716 " +
  "678 435 716 712 343 343 665 343 1042 712 687 716 716 493 595 478 712 652 924 645 652 582 712 365 712 838";

const FIRST = 32;

/** Advance of characters of other scripts, thousandths of the font size: the advance of an emoji. */
const OTHER_ADVANCE = 1000;

const [regular, bold] = [REGULAR, BOLD].map((table) => table.split(" ").map(Number));

/**
 * Width of a line of text in the font of the charts, pixels. Without a canvas, Vega takes 0.8 of the font size for each
 * character, a third too much. The other fonts of the charts are narrower.
 *
 * @param fontSize Pixels
 * @param isBold Whether the text is bold
 */
export function measureText(text: string, fontSize: number, isBold = false): number {
  const advances = isBold ? bold : regular;
  let width = 0;
  // An accent is above its letter and takes no space.
  for (const letter of text.normalize("NFD").replace(/\p{Mn}/gu, "")) {
    const code = letter.codePointAt(0)!;
    width += advances[code - FIRST] ?? (code < 0x500 ? advances[0x6d - FIRST] : OTHER_ADVANCE);
  }
  return width * fontSize / 1000;
}
