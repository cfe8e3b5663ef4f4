import type { ListObjectsV2CommandInput, S3 } from "@aws-sdk/client-s3";
import { type RetryOptions, retryRequest, type StorePatience } from "./retry_request.ts";
import { isAbsent } from "./store_error.ts";

/** Metadata of an object. */
export interface ObjectHead {
  readonly etag: string;
  /** Size, bytes. */
  readonly size: number;
  /** When it was stored, milliseconds since 1970 UTC. */
  readonly stored: number;
  /** SHA-256 of its content as it was put, hexadecimal; `undefined` if another program put it. */
  readonly hash: string | undefined;
}

/** Filter for listing objects below the prefix. */
type ListPart = Partial<ListObjectsV2CommandInput>;

/** An object was replaced or removed while it was read. */
export class ObjectChangedError extends Error {
  /** @param path Address of the object */
  constructor(path: string) {
    super(`Cannot read ${path}: it was replaced or removed during the read. Try again`);
    this.name = "ObjectChangedError";
  }
}

/** The objects of a bucket below a prefix; failed requests are retried if that may help. */
export class Bucket {
  readonly #client: S3;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #patience: StorePatience;
  readonly #closing = new AbortController();

  /**
   * @param client Client, closed with the bucket
   * @param bucket Name of the bucket
   * @param prefix Prefix of all keys, with a slash at its end; "" for the whole bucket
   */
  constructor(client: S3, bucket: string, prefix: string, patience: StorePatience) {
    this.#client = client;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#patience = patience;
  }

  path(name: string): string {
    return `s3://${this.#bucket}/${this.#prefix}${name}`;
  }

  /** Fetches the metadata of an object; `undefined` if it is missing. */
  async head(name: string): Promise<ObjectHead | undefined> {
    return await this.#send("check", name, async (abortSignal) => {
      const answer = await this.#client.headObject(this.#at(name), { abortSignal });
      return {
        etag: answer.ETag!,
        size: answer.ContentLength!,
        stored: answer.LastModified!.getTime(),
        hash: answer.Metadata?.sha256,
      };
    });
  }

  /**
   * Reads a part of an object.
   *
   * @param etag Expected tag of its content; any other content is refused
   * @param from First byte
   * @param to Position after the last byte
   * @throws {ObjectChangedError} If it has another content, or is missing
   */
  async get(
    name: string,
    etag: string,
    from: number,
    to: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    if (from === to) return new Uint8Array();
    const range = { Range: `bytes=${from}-${to - 1}`, IfMatch: etag };
    const bytes = await this.#send("read", name, async (abortSignal) => {
      const { Body } = await this.#client.getObject({ ...this.#at(name), ...range }, {
        abortSignal,
      });
      const part = await Body!.transformToByteArray();
      if (part.length === to - from) return part;
      throw new Error(`the store sent ${part.length} bytes instead of ${to - from}`);
    }, { bytes: to - from, signal });
    if (!bytes) throw new ObjectChangedError(this.path(name));
    return bytes;
  }

  /**
   * Stores an object. The store compares the received bytes with the hash, and then has them durably.
   *
   * @param hash Its SHA-256, hexadecimal
   * @param condition Tag of the content to replace, or `*` for no content; without it any content is replaced
   * @returns Whether the condition held
   */
  async put(
    name: string,
    bytes: Uint8Array,
    hash: string,
    condition: { readonly IfMatch?: string; readonly IfNoneMatch?: string } = {},
  ): Promise<boolean> {
    const content = {
      Body: bytes,
      ChecksumSHA256: Uint8Array.fromHex(hash).toBase64(),
      Metadata: { sha256: hash },
    };
    const stored = await this.#send("store", name, async (abortSignal) => {
      await this.#client.putObject({ ...this.#at(name), ...content, ...condition }, {
        abortSignal,
      });
      return true;
    }, { bytes: bytes.length });
    return stored ?? false;
  }

  /**
   * Replaces the content of an object, unless it has changed: if several replace the same content, the store takes the
   * first.
   *
   * @param hash Its SHA-256, hexadecimal
   * @param etag Tag of the content that it replaces; `undefined` if there is none
   * @returns Whether it is stored
   */
  async replace(
    name: string,
    bytes: Uint8Array,
    hash: string,
    etag: string | undefined,
  ): Promise<boolean> {
    const condition = etag === undefined ? { IfNoneMatch: "*" } : { IfMatch: etag };
    if (await this.put(name, bytes, hash, condition)) return true;
    // An attempt may have stored the object although its answer was lost: then the next attempt found it there.
    return (await this.head(name))?.hash === hash;
  }

  /**
   * Copies an object onto itself, to renew its time.
   *
   * @returns Its time, milliseconds since 1970 UTC, which some stores do not change; `undefined` if it is missing, or
   * has another content
   */
  async touch(name: string, { etag, hash }: ObjectHead): Promise<number | undefined> {
    const metadata: Record<string, string> = hash === undefined ? {} : { sha256: hash };
    const copy = {
      ...this.#at(name),
      CopySource: encodeURIComponent(`${this.#bucket}/${this.#prefix}${name}`),
      CopySourceIfMatch: etag,
      MetadataDirective: "REPLACE",
      Metadata: metadata,
    } as const;
    return await this.#send("renew", name, async (abortSignal) => {
      const { CopyObjectResult } = await this.#client.copyObject(copy, { abortSignal });
      return CopyObjectResult!.LastModified!.getTime();
    });
  }

  async remove(name: string): Promise<void> {
    await this.#send("remove", name, async (abortSignal) => {
      await this.#client.deleteObject(this.#at(name), { abortSignal });
    });
  }

  /** Names of all objects that are not in folders. */
  async names(): Promise<string[]> {
    return [...(await this.#sizes({ Delimiter: "/" })).keys()];
  }

  /** Sizes, bytes, of all objects below a folder, by name. */
  async sizes(folder: string): Promise<Map<string, number>> {
    return await this.#sizes({ Prefix: `${this.#prefix}${folder}/` });
  }

  /**
   * Checks that the bucket exists and its objects can be listed: without a bucket, or with wrong credentials, some stores
   * answer as if an object were missing.
   *
   * @throws {ConfigurationError} If it is not
   * @throws {PassingError} If the store does not answer
   */
  async check(): Promise<void> {
    await this.#list({ MaxKeys: 1 });
  }

  close(): void {
    this.#closing.abort();
    this.#client.destroy();
  }

  #at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${name}` };
  }

  async #sizes(part: ListPart): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    let token: string | undefined;
    do {
      const page = await this.#list({ ...part, ContinuationToken: token });
      for (const { Key, Size } of page?.Contents ?? []) {
        sizes.set(Key!.slice(this.#prefix.length), Size!);
      }
      token = page?.NextContinuationToken;
    } while (token !== undefined);
    return sizes;
  }

  async #list(part: ListPart) {
    const list = { Bucket: this.#bucket, Prefix: this.#prefix, ...part };
    return await this.#send(
      "list",
      "",
      (abortSignal) => this.#client.listObjectsV2(list, { abortSignal }),
    );
  }

  /** Sends a request; `undefined` if its object is missing or has another content. */
  async #send<T>(
    action: string,
    name: string,
    attempt: (signal: AbortSignal) => Promise<T>,
    { bytes = 0, signal = this.#closing.signal }: Omit<RetryOptions, "patience"> = {},
  ): Promise<T | undefined> {
    return await retryRequest(`${action} ${this.path(name)}`, async (signal) => {
      try {
        return await attempt(signal);
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    }, {
      bytes,
      patience: this.#patience,
      signal: AbortSignal.any([signal, this.#closing.signal]),
    });
  }
}
