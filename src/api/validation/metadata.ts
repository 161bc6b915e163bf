import type { Check } from './check.ts';
import { annotationKey, dnsLabel, dnsSubdomain, labelValue, qualifiedName } from './names.ts';
import { arrayOf, boolean, mapOf, object, required, string, timestamp } from './shapes.ts';

export const labels: Check = mapOf(qualifiedName, labelValue);

/** `metadata` of a kind whose names have this form. */
export function objectMetaNamed(name: Check): Check {
  return required(
    object({
      name: required(name),
      namespace: unlessEmpty(dnsLabel),
      uid: string,
      labels,
      annotations: mapOf(annotationKey, string),
      creationTimestamp: timestamp,
      deletionTimestamp: timestamp,
      ownerReferences: arrayOf(
        object({
          apiVersion: string,
          kind: required(string),
          name: required(string),
          uid: required(string),
          controller: boolean,
        }),
      ),
    }),
  );
}

/** An empty namespace is the default one. */
function unlessEmpty(check: Check): Check {
  return (value, field, problems) => {
    if (value !== '') check(value, field, problems);
  };
}

export const objectMeta: Check = objectMetaNamed(dnsSubdomain);
