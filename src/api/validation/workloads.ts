import { type Check, isObject } from './check.ts';
import { labels, objectMeta, objectMetaNamed } from './metadata.ts';
import { dnsLabel } from './names.ts';
import { labelSelector } from './selectors.ts';
import { all, INT32_MAX, integer, object, required } from './shapes.ts';

/** Checks of objects that group pods by a selector; their templates are not checked. */

export const namespace: Check = object({ metadata: objectMetaNamed(dnsLabel) });

/** The check of a Service, which may have no selector. */
export const service: Check = object({ metadata: objectMetaNamed(dnsLabel), spec: object({ selector: labels }) });

/** Refuses an empty selector, which would select everything. */
const notEmpty: Check = (value, field, problems) => {
  if (!isObject(value) || isFilled(value['matchLabels']) || isFilled(value['matchExpressions'])) return;
  problems.push({ field, reason: 'must hold matchLabels or matchExpressions' });
};

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Requires a selector or a template, whose labels are the default selector. */
const hasSelectorOrTemplate: Check = (value, field, problems) => {
  if (!isObject(value)) return;
  const { selector, template } = value;
  const metadata = isObject(template) ? template['metadata'] : undefined;
  const templateLabels = isObject(metadata) ? metadata['labels'] : undefined;
  if (isFilled(selector) || isFilled(templateLabels)) return;
  problems.push({ field: `${field}.selector`, reason: 'is required' });
};

export const replicationController: Check = object({
  metadata: objectMeta,
  spec: required(
    object(
      {
        replicas: integer(0, INT32_MAX),
        selector: labels,
        template: object({ metadata: object({ labels }) }),
      },
      hasSelectorOrTemplate,
    ),
  ),
});

/** The check of a ReplicaSet or a StatefulSet. */
export const replicas: Check = object({
  metadata: objectMeta,
  spec: required(
    object({
      replicas: integer(0, INT32_MAX),
      selector: required(all(labelSelector, notEmpty)),
    }),
  ),
});
