import { describe, expect, test } from 'vitest';
import type { PodFailurePolicyRule } from '../../../src/api/job.ts';
import { jobShapeProblems, jobStatusShapeProblems, validateJob } from '../../../src/api/validation/job.ts';
import { type JobOptions, makeJob, submittedJob } from '../../builders/make-job.ts';

const texts = (options: JobOptions): string[] =>
  validateJob(makeJob(options)).map(({ field, reason }) => `${field}: ${reason}`);
const INDEXED: JobOptions = { completionMode: 'Indexed', completions: 5 };
const inCodes = (...values: number[]) => ({ operator: 'In', values });

const withTemplate = (change: object): unknown => {
  const { spec, ...job } = submittedJob();
  return { ...job, spec: { ...spec, template: { ...spec?.template, ...change } } };
};

test('a usual Job is valid', () => {
  expect(jobShapeProblems(submittedJob())).toEqual([]);
  expect(
    jobShapeProblems(withTemplate({ spec: { ...submittedJob().spec?.template?.spec, ephemeralContainers: [] } })),
  ).toEqual([]);
  expect(texts({})).toEqual([]);
  expect(
    texts({ ...INDEXED, backoffLimitPerIndex: 1, maxFailedIndexes: 5, managedBy: 'kueue.x-k8s.io/multikueue' }),
  ).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, ': is required'],
  ['a list', [], ': must be an object, not a list'],
  ['no spec', { metadata: { name: 'j' } }, 'spec: is required'],
  ['no template', { metadata: { name: 'j' }, spec: {} }, 'spec.template: is required'],
  [
    'a number as text',
    { ...submittedJob(), spec: { ...submittedJob().spec, parallelism: '3' } },
    'spec.parallelism: must be an integer, not the string "3"',
  ],
  ['a bad name', submittedJob({ name: 'A' }), 'metadata.name: bad name "A"'],
  ['another kind', { ...submittedJob(), kind: 'Pod' }, 'kind: unknown kind "Pod" (known: Job)'],
  [
    'a container without a name',
    submittedJob({ podSpec: { containers: [{ name: 'A' }] } }),
    'spec.template.spec.containers[0].name: bad name',
  ],
  [
    'an annotation of the pods with a bad key',
    withTemplate({ metadata: { annotations: { '-a': 'b' } } }),
    'spec.template.metadata.annotations: bad key "-a"',
  ],
  [
    'an ephemeral container',
    withTemplate({ spec: { ...submittedJob().spec?.template?.spec, ephemeralContainers: [{ name: 'e' }] } }),
    'spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
  ],
])('%s has no Job’s shape', (_, value, problem) => {
  const problems = jobShapeProblems(value).map(({ field, reason }) => `${field}: ${reason}`);
  expect(problems[0]).toContain(problem);
});

test('a status has a shape, too', () => {
  expect(jobStatusShapeProblems({ active: 1, conditions: [{ type: 'Failed', status: 'True' }] })).toEqual([]);
  expect(jobStatusShapeProblems({ active: 1.5, startTime: 'soon' }).map(({ field }) => field)).toEqual([
    'status.startTime',
    'status.active',
  ]);
});

describe('the spec', () => {
  test.each<[string, JobOptions, string[]]>([
    [
      'a negative number',
      { parallelism: -1 },
      ['spec.parallelism: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'an unknown mode',
      { completionMode: 'Sideways' },
      ['spec.completionMode: Unsupported value: "Sideways": supported values: "NonIndexed", "Indexed"'],
    ],
    [
      'no completions',
      { completionMode: 'Indexed', parallelism: 1 },
      ['spec.completions: Required value: when completion mode is Indexed'],
    ],
    [
      'too parallel',
      { ...INDEXED, parallelism: 100_001 },
      ['spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed'],
    ],
    [
      'limits without indexes',
      { backoffLimitPerIndex: 1 },
      ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
    ],
    [
      'failed indexes without a limit',
      { ...INDEXED, maxFailedIndexes: 6 },
      [
        'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
        'spec.maxFailedIndexes: Invalid value: 6: must be less than or equal to completions',
      ],
    ],
    [
      'very many completions',
      { ...INDEXED, completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: 1 },
      [
        'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
        'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are ' +
          'above 100000 and used with backoff limit per index',
      ],
    ],
    [
      'no path',
      { managedBy: 'kueue' },
      ['spec.managedBy: Invalid value: "kueue": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      'a long manager',
      { managedBy: `acme.io/${'x'.repeat(60)}` },
      ['spec.managedBy: Too long: may not be more than 63 bytes'],
    ],
    [
      'always restarted',
      { podSpec: { restartPolicy: 'Always' } },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      'restarted at will',
      { podSpec: { restartPolicy: 'Maybe' } },
      ['spec.template.spec.restartPolicy: Unsupported value: "Maybe": supported values: "OnFailure", "Never"'],
    ],
    [
      'a policy and restarts',
      { podFailurePolicy: { rules: [] }, podSpec: { restartPolicy: 'OnFailure' } },
      [
        'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when ' +
          'podFailurePolicy is specified',
      ],
    ],
    [
      'an unknown replacement',
      { podReplacementPolicy: 'Soon' },
      ['spec.podReplacementPolicy: Unsupported value: "Soon": supported values: "Failed", "TerminatingOrFailed"'],
    ],
    [
      'a replacement against the policy',
      { podReplacementPolicy: 'TerminatingOrFailed', podFailurePolicy: { rules: [] } },
      ['spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'],
    ],
  ])('%s', (_, options, expected) => {
    expect(texts(options)).toEqual(expected);
  });
});

test('a name that is longer than a label is refused where labels are made of it', () => {
  const metadata = { name: 'x'.repeat(64), uid: 'u' };
  const rule = `bad label value "${metadata.name}" (at most 63`;
  const problems = texts({ metadata });
  expect(problems).toHaveLength(2);
  expect(problems[0]).toContain(`spec.template.metadata.labels.job-name: ${rule}`);
  expect(problems[1]).toContain(`spec.template.metadata.labels[batch.kubernetes.io/job-name]: ${rule}`);
  // The Job takes the labels of a template that the user labelled.
  const template = { metadata: { labels: { app: 'x' } }, spec: submittedJob().spec?.template?.spec };
  expect(texts({ metadata, template })[0]).toContain(`metadata.labels.job-name: ${rule}`);
  expect(texts({ metadata, template, manualSelector: true, selector: { matchLabels: { app: 'x' } } })).toEqual([]);
  expect(texts({ metadata: { name: 'x'.repeat(63), uid: 'u' } })).toEqual([]);
});

describe('the selector', () => {
  const template = {
    metadata: { labels: { app: 'x' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'a' }] },
  };

  test('of the user’s must select the pods', () => {
    const selector = { matchLabels: { app: 'y' } };
    expect(texts({ manualSelector: true, selector, template })).toEqual([
      'spec.template.metadata.labels: Invalid value: {"app":"x"}: `selector` does not match template `labels`',
    ]);
    expect(texts({ manualSelector: true, template })[0]).toBe('spec.selector: Required value');
  });

  test('that is generated allows no other labels in its place', () => {
    const labels = { 'job-name': 'other' };
    expect(texts({ template: { ...template, metadata: { labels } } })[0]).toMatch(
      /^spec.template.metadata.labels\[job-name\]: Invalid value: .*: must be 'job'$/,
    );
    expect(texts({ selector: { matchLabels: { app: 'x' } } })).toContain(
      'spec.selector: Invalid value: ' +
        '{"matchLabels":{"batch.kubernetes.io/controller-uid":"uid-job","app":"x"}}: `selector` not auto-generated',
    );
  });
});

test('the name of an indexed Job leaves room for its indexes', () => {
  const name = 'a'.repeat(61);
  const metadata = { name, uid: 'u' };
  expect(texts({ ...INDEXED, metadata })).toEqual([]);
  expect(texts({ ...INDEXED, metadata, completions: 11 })).toEqual([
    `metadata.name: Invalid value: "${name}": will not able to create pod with invalid DNS label: ${name}-10`,
  ]);
});

describe('a pod failure policy', () => {
  const rule = (...rules: PodFailurePolicyRule[]): string[] =>
    texts({ podFailurePolicy: { rules } }).map((text) => text.replace('spec.podFailurePolicy.rules', ''));

  test.each<[string, PodFailurePolicyRule[], string[]]>([
    ['fine', [{ action: 'FailJob', onExitCodes: { ...inCodes(1, 2), containerName: 'main' } }], []],
    [
      'an unknown action',
      [{ action: 'Shrug', onExitCodes: inCodes(1) }],
      ['[0].action: Unsupported value: "Shrug": supported values: "Count", "FailIndex", "FailJob", "Ignore"'],
    ],
    [
      'an index that cannot fail',
      [{ action: 'FailIndex', onExitCodes: inCodes(1) }],
      ['[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set'],
    ],
    [
      'nothing to match',
      [{ action: 'Ignore' }],
      ['[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required'],
    ],
    [
      'both',
      [{ action: 'Ignore', onExitCodes: inCodes(1), onPodConditions: [{ type: 'A' }] }],
      ['[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported'],
    ],
    [
      'zero',
      [{ action: 'Ignore', onExitCodes: inCodes(0, 1) }],
      ['[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator'],
    ],
    [
      'disorder',
      [{ action: 'Ignore', onExitCodes: inCodes(2, 1) }],
      ['[0].onExitCodes.values: Invalid value: [2,1]: must be ordered'],
    ],
    ['twice', [{ action: 'Ignore', onExitCodes: inCodes(1, 1) }], ['[0].onExitCodes.values[1]: Duplicate value: 1']],
    [
      'no codes',
      [{ action: 'Ignore', onExitCodes: inCodes() }],
      ['[0].onExitCodes.values: Invalid value: []: at least one value is required'],
    ],
    [
      'an unknown operator',
      [{ action: 'Ignore', onExitCodes: { operator: 'Near', values: [1] } }],
      ['[0].onExitCodes.operator: Unsupported value: "Near": supported values: "In", "NotIn"'],
    ],
    [
      'an unknown container',
      [{ action: 'Ignore', onExitCodes: { ...inCodes(1), containerName: 'x' } }],
      [
        '[0].onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer ' +
          'names in the pod template',
      ],
    ],
    [
      'an unknown status',
      [{ action: 'Ignore', onPodConditions: [{ type: 'A', status: 'Odd' }] }],
      ['[0].onPodConditions[0].status: Unsupported value: "Odd": supported values: "False", "True", "Unknown"'],
    ],
  ])('%s', (_, rules, expected) => {
    expect(rule(...rules)).toEqual(expected);
  });

  test('has twenty rules at most', () => {
    const rules = Array.from({ length: 21 }, () => ({ action: 'Ignore', onExitCodes: inCodes(1) }));
    expect(rule(...rules)).toEqual([': Too many: 21: must have at most 20 items']);
  });
});

describe('a success policy', () => {
  const PATH = 'spec.successPolicy.rules';

  test.each<[string, JobOptions, string[]]>([
    ['fine', { ...INDEXED, successPolicy: { rules: [{ succeededIndexes: '0-2', succeededCount: 2 }] } }, []],
    [
      'no indexes',
      { successPolicy: { rules: [{ succeededCount: 1 }] } },
      ['spec.successPolicy: Invalid value: {"rules":[{"succeededCount":1}]}: requires indexed completion mode'],
    ],
    [
      'no rules',
      { ...INDEXED, successPolicy: { rules: [] } },
      [`${PATH}: Required value: at least one rules must be specified when the successPolicy is specified`],
    ],
    [
      'an empty rule',
      { ...INDEXED, successPolicy: { rules: [{}] } },
      [`${PATH}[0]: Required value: at least one of succeededCount or succeededIndexes must be specified`],
    ],
    [
      'too much',
      { ...INDEXED, successPolicy: { rules: [{ succeededCount: 6 }] } },
      [
        `${PATH}[0].succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of ` +
          `specified completions)`,
      ],
    ],
    [
      'more than named',
      { ...INDEXED, successPolicy: { rules: [{ succeededIndexes: '1', succeededCount: 2 }] } },
      [
        `${PATH}[0].succeededCount: Invalid value: 2: must be less than or equal to 1 (the number of indexes ` +
          `in the specified succeededIndexes field)`,
      ],
    ],
    [
      'nonsense',
      { ...INDEXED, successPolicy: { rules: [{ succeededIndexes: '9' }] } },
      [`${PATH}[0].succeededIndexes: Invalid value: "9": error parsing succeededIndexes: too large index: "9"`],
    ],
  ])('%s', (_, options, expected) => {
    expect(texts(options)).toEqual(expected);
  });
});
