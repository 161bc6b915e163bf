import type { Check } from './check.ts';
import { annotationKey, dnsLabel, dnsSubdomain, labelValue, qualifiedName } from './names.ts';
import { arrayOf, boolean, mapOf, object, required, string, timestamp } from './shapes.ts';

export const labels: Check = mapOf(qualifiedName, labelValue);

export const objectMeta: Check = required(
  object({
    name: required(dnsSubdomain),
    namespace: dnsLabel,
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
