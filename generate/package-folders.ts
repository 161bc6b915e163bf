import { resolve } from 'node:path';
import type { Plugin, PreRenderedChunk } from 'rolldown';

interface PackageFolders extends Plugin {
  fileName(chunk: PreRenderedChunk): string;
  /** Whether a module is the library's, once all are known. */
  isLibrary(id: string): boolean;
}

/**
 * Gives each chunk the folder of its package below `dist`. What an entry of the library can reach is the library's, in
 * `lib`, and the package of the command imports it from there; everything else is the command's, in `cli`.
 */
export function packageFolders(libraryEntries: readonly string[]): PackageFolders {
  const library = new Set(libraryEntries.map((path) => resolve(path)));
  return {
    name: 'package-folders',
    fileName: ({ moduleIds }) => `${moduleIds.some((id) => library.has(id)) ? 'lib' : 'cli'}/[name].js`,
    isLibrary: (id) => library.has(id),
    buildEnd() {
      for (const id of library) {
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        for (const imported of [...importedIds, ...dynamicallyImportedIds]) library.add(imported);
      }
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.fileName.startsWith('lib/')) continue;
        const foreign = [...chunk.imports, ...chunk.dynamicImports].find((name) => name.startsWith('cli/'));
        if (foreign !== undefined)
          throw new Error(`${chunk.fileName}, the library's, imports ${foreign}, the command's`);
      }
    },
  };
}
