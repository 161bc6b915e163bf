import { join } from 'node:path';
import type { FileSource } from '../../manifests/file-source.ts';
import { decodeUtf8 } from '../../manifests/source-document.ts';
import { ObjectTemplate, type Reading } from '../template/object-template.ts';

const TEMPLATE_MAX_BYTES = 16 * 2 ** 20;

/** The files that a benchmark file refers to, each read once. */
export type TemplateLibrary = ReturnType<typeof templateLibrary>;

/** `folder`: the folder of the benchmark file, which paths are relative to. */
export function templateLibrary(folder: string, source: FileSource) {
  const texts = new Map<string, Promise<string>>();
  /** The name of the file in messages. */
  const fileOf = (path: string): string => join(folder, path);
  /** @throws what the source throws */
  const text = (path: string): Promise<string> => {
    const file = fileOf(path);
    const known = texts.get(file) ?? source.read(file, TEMPLATE_MAX_BYTES).then((bytes) => decodeUtf8(bytes, file, 1));
    texts.set(file, known);
    return known;
  };
  /** @throws PerfError `InvalidPerfConfig`, or what the source throws */
  const template = async (path: string, reading: Reading): Promise<ObjectTemplate> =>
    new ObjectTemplate(await text(path), fileOf(path), reading);
  return { fileOf, text, template };
}
