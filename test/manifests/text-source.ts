import { CodedError } from '../../src/lib/errors.ts';
import type { FileSource } from '../../src/manifests/file-source.ts';

/** Files held in memory. */
export function textSource(files: Readonly<Record<string, string | Uint8Array>>): FileSource {
  return {
    async read(name) {
      const content = files[name];
      if (content === undefined) throw new CodedError('FileNotReadable', `${name}: no such file`);
      return typeof content === 'string' ? new TextEncoder().encode(content) : content;
    },
  };
}
