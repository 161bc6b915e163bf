import { compileLabelSelector, type LabelSelector } from '../label-selector.ts';
import type { Labels } from '../meta.ts';
import { type Check, isMissing, isObject, type ObjectCheck } from './check.ts';
import { forbidden } from './field-error.ts';
import { annotations, labels } from './metadata.ts';
import { podSpec } from './pod.ts';
import { labelSelector } from './selectors.ts';
import { all, object, oneOf, required } from './shapes.ts';

/** Refuses ephemeral containers, which can only be added to running pods. */
const noEphemeralContainers: Check = (value, field, problems) => {
  const containers = isObject(value) ? value['ephemeralContainers'] : undefined;
  if (!Array.isArray(containers) || containers.length === 0) return;
  problems.push(forbidden(`${field}.ephemeralContainers`, 'ephemeral containers not allowed in pod template'));
};

/** The check of a template from which a controller makes pods. */
export const podTemplate = object({
  metadata: object({ labels, annotations }),
  spec: required(all(podSpec, noEphemeralContainers)),
});

/** Refuses a deadline, since the pod would be replaced for ever. */
const noDeadline: Check = (value, field, problems) => {
  if (!isObject(value) || isMissing(value['activeDeadlineSeconds'])) return;
  problems.push({ field: `${field}.activeDeadlineSeconds`, reason: 'must not be set: such pods are replaced' });
};

/** The check of a template of pods that are always there. */
export const lastingPodTemplate: Check = all(
  podTemplate,
  object({ spec: all(object({ restartPolicy: oneOf('restartPolicy of such pods', 'Always', '') }), noDeadline) }),
);

/** Refuses an empty selector, which would select everything. */
const notEmpty: Check = (value, field, problems) => {
  if (!isObject(value) || isFilled(value['matchLabels']) || isFilled(value['matchExpressions'])) return;
  problems.push({ field, reason: 'must hold matchLabels or matchExpressions' });
};

export const filledSelector: Check = required(all(labelSelector, notEmpty));

export function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Checks of a spec that it selects the pods that it makes; it says nothing of a spec whose fields are wrong anyway. */
export const selectsItsPods: ObjectCheck = ({ selector, template }, field, problems) => {
  if (problems.length > 0 || !isObject(selector) || !isObject(template)) return;
  const compiled = compileLabelSelector(selector as LabelSelector);
  const metadata = isObject(template['metadata']) ? template['metadata'] : {};
  if ('error' in compiled || compiled.matches(metadata['labels'] as Labels | undefined)) return;
  problems.push({ field: `${field}.template.metadata.labels`, reason: 'must be selected by spec.selector' });
};
