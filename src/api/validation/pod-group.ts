import { type Check, isMissing, type ObjectCheck } from './check.ts';
import { arrayOf, INT32_MAX, INT32_MIN, integer, object, oneOf, present, required, string } from './shapes.ts';

/** Checks of groups of pods (pkg/apis/scheduling/validation). */

const name = required(string);

const oneOfBoth: ObjectCheck = (value, field, problems) => {
  const given = [value['basic'], value['gang']].filter((policy) => !isMissing(policy));
  if (given.length === 1) return;
  problems.push({ field, reason: `must have one of basic and gang, not ${given.length === 0 ? 'none' : 'both'}` });
};

const onlyOne: Check = (value, field, problems) => {
  arrayOf(object({ key: name }))(value, field, problems);
  if (Array.isArray(value) && value.length > 1) problems.push({ field, reason: 'must have at most 1 item' });
};

const template = {
  schedulingPolicy: required(
    object({ basic: object({}), gang: object({ minCount: required(integer(1, INT32_MAX)) }) }, oneOfBoth),
  ),
  schedulingConstraints: object({ topology: onlyOne }),
  resourceClaims: arrayOf(object({ name, resourceClaimName: string, resourceClaimTemplateName: string })),
  disruptionMode: oneOf('disruptionMode', 'Pod', 'PodGroup'),
  priorityClassName: string,
  priority: integer(INT32_MIN, INT32_MAX),
};

const condition = object({ type: present(string), status: present(string), reason: string, message: string });

/** The fields of each kind besides its metadata. */
export const POD_GROUP_FIELDS = {
  PodGroup: {
    spec: required(
      object({
        podGroupTemplateRef: object({ workload: object({ workloadName: name, podGroupTemplateName: name }) }),
        ...template,
      }),
    ),
    status: object({
      conditions: arrayOf(condition),
      resourceClaimStatuses: arrayOf(object({ name: string, resourceClaimName: string })),
    }),
  },
  Workload: {
    spec: required(
      object({
        controllerRef: object({ apiGroup: string, kind: name, name }),
        podGroupTemplates: required(arrayOf(object({ name, ...template }))),
      }),
    ),
  },
} satisfies Record<string, Readonly<Record<string, Check>>>;
