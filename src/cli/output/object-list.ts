import type { KubernetesObject } from '../../api/meta.ts';
import { latePackage } from '../../lib/host-modules.ts';

/** The most characters that wait to be printed. */
const CHUNK_CHARS = 2 ** 20;

/** Prints a v1 List object by object, so that it need not fit into memory as one text. */
export class ObjectList {
  readonly #print: (text: string) => Promise<void>;
  readonly #isYaml: boolean;
  #chunk: string;
  #count = 0;

  constructor(format: 'json' | 'yaml', print: (text: string) => Promise<void>) {
    this.#print = print;
    this.#isYaml = format === 'yaml';
    this.#chunk = this.#isYaml ? 'apiVersion: v1\nkind: List\nitems:' : '{"apiVersion":"v1","kind":"List","items":[';
  }

  async add(object: KubernetesObject): Promise<void> {
    if (this.#isYaml)
      this.#chunk += `${this.#count === 0 ? '\n' : ''}${latePackage('yaml').stringify([object], { lineWidth: 0 })}`;
    else this.#chunk += `${this.#count === 0 ? '\n' : ',\n'}${JSON.stringify(object)}`;
    this.#count++;
    if (this.#chunk.length >= CHUNK_CHARS) await this.#flush();
  }

  async end(): Promise<void> {
    if (!this.#isYaml) this.#chunk += '\n]}\n';
    else if (this.#count === 0) this.#chunk += ' []\n';
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const chunk = this.#chunk;
    this.#chunk = '';
    await this.#print(chunk);
  }
}
