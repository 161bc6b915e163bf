import { CodedError } from './errors.ts';

/** The modules of Node, and of runtimes with the same modules, that are loaded when they are first needed. */
type HostModules = typeof globalThis.process.getBuiltinModule;

/** The packages that are loaded when they are first needed, with their types. */
interface LatePackages {
  readonly croner: typeof import('croner');
  readonly lmdb: typeof import('lmdb');
  readonly re2js: typeof import('re2js');
  readonly undici: typeof import('undici');
  readonly yaml: typeof import('yaml');
  readonly piscina: typeof import('piscina');
  readonly 'prom-client': typeof import('prom-client');
  readonly 'csv-parse/sync': typeof import('csv-parse/sync');
}

const packages = new Map<string, unknown>();

/**
 * A module of the runtime. It is asked for by a call and not by an import, because imports would slow down the start
 * of programs that never need it, and would make the library unusable in browsers. Undefined where there is none.
 */
export const hostModule: HostModules = ((name: string) =>
  globalThis.process?.getBuiltinModule?.(name)) as unknown as HostModules;

/** A module of the runtime without which `purpose` is impossible. Throws `Unavailable` where there is none. */
export const neededHostModule: HostModules = ((name: string) => {
  const module = hostModule(name);
  if (module === undefined) throw unavailable(`the module ${name}`, 'this runtime does not have it');
  return module;
}) as HostModules;

/**
 * A package that only some callers need, loaded at the first call. Throws `Unavailable` where packages cannot be
 * loaded, as in browsers, or where it is not installed, as beside a bundle. A caller whose own package depends on it,
 * and not the library's, gives its address as `importer`.
 */
export function latePackage<Name extends keyof LatePackages>(
  name: Name,
  importer: string = import.meta.url,
): LatePackages[Name] {
  let loaded = packages.get(name);
  if (loaded === undefined) {
    const module = hostModule('node:module');
    if (module === undefined) throw unavailable(`the package ${name}`, 'this runtime loads no packages');
    try {
      loaded = module.createRequire(importer)(name);
    } catch (cause) {
      throw unavailable(`the package ${name}`, cause instanceof Error ? firstLine(cause.message) : String(cause));
    }
    packages.set(name, loaded);
  }
  return loaded as LatePackages[Name];
}

function unavailable(what: string, reason: string): CodedError<'Unavailable'> {
  return new CodedError('Unavailable', `${what} is needed here: ${reason}`);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] as string;
}
