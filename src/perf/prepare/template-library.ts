import { join } from 'node:path';
import type { FileSource } from '../../manifests/file-source.ts';
import { decodeUtf8 } from '../../manifests/source-document.ts';
import { ObjectTemplate, type Reading } from '../template/object-template.ts';

const TEMPLATE_MAX_BYTES = 16 * 2 ** 20;

/** The files that a benchmark file refers to, each read once. */
export class TemplateLibrary {
  readonly #folder: string;
  readonly #source: FileSource;
  readonly #texts = new Map<string, Promise<string>>();

  /** `folder`: the folder of the benchmark file, which paths are relative to. */
  constructor(folder: string, source: FileSource) {
    this.#folder = folder;
    this.#source = source;
  }

  /** The name of the file in messages. */
  fileOf(path: string): string {
    return join(this.#folder, path);
  }

  /** @throws what the source throws */
  text(path: string): Promise<string> {
    const file = this.fileOf(path);
    let text = this.#texts.get(file);
    if (text === undefined) {
      text = this.#source.read(file, TEMPLATE_MAX_BYTES).then((bytes) => decodeUtf8(bytes, file, 1));
      this.#texts.set(file, text);
    }
    return text;
  }

  /** @throws PerfError `InvalidPerfConfig`, or what the source throws */
  async template(path: string, reading: Reading): Promise<ObjectTemplate> {
    return new ObjectTemplate(await this.text(path), this.fileOf(path), reading);
  }
}
