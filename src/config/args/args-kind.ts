import type { Decoder } from '../decode/decoder.ts';
import type { ConfigurationError } from '../decode/field-error.ts';

/**
 * How one plugin's arguments are read. There is one object for each kind of arguments that upstream knows
 * (apis/config/v1/defaults.go, validation/validation_pluginargs.go), in the folder of its plugin.
 */
export interface ArgsKind<T> {
  /** Reads a document, and fills in defaults. */
  readonly decode: Decoder<T>;
  /** The arguments in an `__internal` document, which has no defaults. */
  readonly zero: T;
  /** Validates arguments; `path` is their place: '' or 'profiles[0].pluginConfig[1].args'. */
  validate(args: T, path: string): ConfigurationError[];
  /** The arguments as v1 JSON, without apiVersion and kind. */
  encode(args: T): Readonly<Record<string, unknown>>;
  /** The arguments are looked at when the plugin is made, and only then: not when the document is validated. */
  readonly isValidatedLate?: boolean;
  /** The same arguments with these extended resources left to extenders; only for the plugin that filters by them. */
  withIgnoredResources?(args: T, ignoredResources: readonly string[]): T;
}

export function child(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

/** Returns undefined instead of an empty list, for `omitempty` fields. */
export function nonEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}
