/** Types for the parts of the S3 library that are used here. */
declare module "@20minutes/s3rver" {
  import type { Server } from "node:http";

  export type S3Context = {
    headers: Record<string, string | undefined>;
    query: Record<string, string | string[] | undefined>;
    path: string;
    status: number;
    type: string;
    body: unknown;
  };
  export type S3Record = {
    eventName: string;
    eventTime: string;
    s3: {
      bucket: { name: string };
      object: { key: string; size?: number; eTag?: string; sequencer: string };
    };
  };
  export type S3Object = { bucket: string; key: string; content: unknown; metadata: unknown };
  export type S3Store = {
    getResourcePath(bucket: string, key: string, resource: "object"): string;
    putContent(path: string, content: unknown): Promise<[size: number, md5: string]>;
    putMetadata(bucket: string, key: string, metadata: unknown, md5: string): Promise<void>;
    getMetadata(bucket: string, key: string): Promise<unknown>;
    putObject(object: S3Object): Promise<{ size: number; md5: string }>;
  };
  export default class S3rver {
    constructor(options: Record<string, unknown>);
    store: S3Store;
    middleware: ((context: S3Context, next: () => Promise<void>) => unknown)[];
    httpServer: Server;
    on(event: "event", listener: (event: { Records: S3Record[] }) => void): this;
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}

declare module "@20minutes/s3rver/lib/models/account.js" {
  const account: {
    DUMMY_ACCOUNT: {
      createKeyPair(id: string, secret: string): void;
      revokeAccessKey(id: string): void;
    };
  };
  export default account;
}

declare module "@20minutes/s3rver/lib/models/error.js" {
  export default class S3Error extends Error {
    constructor(code: string, message: string);
  }
}

declare module "@20minutes/s3rver/lib/signature/v4.js" {
  const v4: { getStringToSign(request: { uri: string }, parsed: unknown): string };
  export default v4;
}
