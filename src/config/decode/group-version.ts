import { DecodeFailure } from './decoder.ts';
import type { Value } from './value.ts';

export const GROUP = 'kubescheduler.config.k8s.io';
export const API_VERSION = `${GROUP}/v1`;
/** The version of upstream's internal types: documents may use it, but it has no defaults. */
export const INTERNAL_API_VERSION = `${GROUP}/__internal`;

/** The type that a document declares; '' for a missing part. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Reads the type of a document. Throws DecodeFailure for a document that is no object, or whose apiVersion cannot be
 * read.
 */
export function typeMetaOf(document: Value, where: string): TypeMeta {
  if (document.kind === 'null') return { apiVersion: '', kind: '' };
  if (document.kind !== 'object') throw new DecodeFailure(`${where}: not an object, so it has no apiVersion and kind`);
  const read = (name: string): string => {
    let text = '';
    for (const { key, value } of document.members) {
      // Upstream matches these two names without regard to case.
      if (key.toLowerCase() !== name.toLowerCase() || value.kind === 'null') continue;
      if (value.kind !== 'string') throw new DecodeFailure(`${where}: ${key} is not a string`);
      text = value.value;
    }
    return text;
  };
  const apiVersion = read('apiVersion');
  if (apiVersion.split('/').length > 2) {
    throw new DecodeFailure(`${where}: unexpected GroupVersion string: ${apiVersion}`);
  }
  return { apiVersion, kind: read('kind') };
}

export function unknownKind({ apiVersion, kind }: TypeMeta, where: string): DecodeFailure {
  return new DecodeFailure(`${where}: no kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
}
