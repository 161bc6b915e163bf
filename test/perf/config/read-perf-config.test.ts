import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PerfError } from '../../../src/perf/config/perf-error.ts';
import { readPerfConfig } from '../../../src/perf/config/read-perf-config.ts';
import { textSource } from '../../manifests/text-source.ts';

const read = (text: string) => readPerfConfig('suite/misc/config.yaml', textSource({ 'suite/misc/config.yaml': text }));

/** A test case around these operations; the last one collects. */
const around = (operations: string, more = '', workload = '') => `
- name: Case
${more}
  workloadTemplate:
${operations}
  - {opcode: createPods, count: 1, collectMetrics: true}
  workloads:
  - name: Small
    params: {nodes: 3}
${workload}
`;

const operationsOf = async (operations: string) =>
  (await read(around(operations))).testCases[0]!.operations.slice(0, -1);

describe('readPerfConfig', () => {
  it('knows where paths begin, and the topic', async () => {
    expect(await read(around(''))).toMatchObject({
      file: 'suite/misc/config.yaml',
      folder: 'suite/misc',
      topic: 'misc',
    });
  });

  it('reads a test case with everything that it may say', async () => {
    const more = `
  labels: [a]
  featureGates: {Feature: true}
  schedulerConfigPath: scheduler.yaml
  defaultPodTemplatePath: ../pod.yaml
  defaultThresholdMetricSelector: {name: m, dataBucket: Perc99, expectLower: true, labels: {result: scheduled}}
  metricsCollectorConfig:
    metrics:
      some_seconds:
      - {label: result, values: [scheduled, error]}
      other_seconds:`;
    const workload = `
    labels: [b]
    featureGates: {Feature: false}
    threshold: {misc: 10, other: 20.5}
  - name: Plain
    threshold: 7`;
    const [testCase] = (await read(around('', more, workload))).testCases;
    const { workloads, operations, ...rest } = testCase!;
    expect(rest).toEqual({
      name: 'Case',
      labels: ['a'],
      featureGates: new Map([['Feature', true]]),
      metrics: new Map([
        ['some_seconds', [{ label: 'result', values: ['scheduled', 'error'] }]],
        ['other_seconds', []],
      ]),
      schedulerConfigPath: 'scheduler.yaml',
      defaultPodTemplatePath: '../pod.yaml',
      unsupported: [],
    });
    expect(operations).toHaveLength(1);
    expect(workloads.map(({ threshold }) => threshold)).toEqual([
      {
        value: 0,
        byTopic: new Map([
          ['misc', 10],
          ['other', 20.5],
        ]),
      },
      { value: 7, byTopic: new Map() },
    ]);
    expect(workloads[0]).toMatchObject({ name: 'Small', labels: ['b'], params: new Map([['nodes', 3]]) });
    const metric = { name: 'm', labels: { result: 'scheduled' }, dataBucket: 'Perc99', expectLower: true };
    expect(workloads[1]!.thresholdMetric).toEqual(metric);
  });

  it('reads every operation', async () => {
    const operations = await operationsOf(`
  - {opcode: createNodes, countParam: $n, nodeTemplatePath: n.yaml, uniqueNodeLabelStrategy: {labelKey: k}}
  - opcode: createNodes
    count: 2
    nodeAllocatableStrategy:
      nodeAllocatable: {a: "20"}
      csiNodeAllocatable: {driver: {count: 20}}
      migratedPlugins: [p]
  - {opcode: createNamespaces, prefix: ns, count: 2, namespaceTemplatePath: ns.yaml}
  - opcode: createPodSets
    countParam: $n
    namespacePrefix: ns
    createPodsOp: {opcode: createPods, count: 4, steadyState: true, duration: 1.5s, templateParams: {x: $n, y: z}}
  - {opcode: deletePods, namespace: ns-0, deletePodsPerSecond: 50, skipWaitToCompletion: true, labelSelector: {a: b}}
  - {opcode: churn, mode: recreate, number: 2, templatePaths: [x.yaml, y.yaml]}
  - {opcode: barrier}
  - {opcode: barrier, stageRequirement: Attempted, namespaces: [x]}
  - {opcode: sleep, duration: 250ms}
  - {opcode: startCollectingMetrics, name: sum, namespaces: [x]}
  - {opcode: stopCollectingMetrics}
  - {opcode: createAny, templatePath: a.yaml, namespace: x}
  - {opcode: updateAny, templatePath: a.yaml, updatePerSecond: 10, subresources: [resize]}
  - {opcode: createResourceDriver, driverName: whatever, nodes: "*"}
  - {opcode: allocResourceClaims, namespace: x}
  - {opcode: startKubelets, nodes: "*"}`);
    expect(operations.map(({ opcode }) => opcode)).toEqual([
      ...[
        'createNodes',
        'createNodes',
        'createNamespaces',
        'createPodSets',
        'deletePods',
        'churn',
        'barrier',
        'barrier',
      ],
      ...['sleep', 'startCollectingMetrics', 'stopCollectingMetrics', 'createAny', 'updateAny'],
      ...['createResourceDriver', 'allocResourceClaims', 'unknown'],
    ]);
    expect(operations[1]).toMatchObject({
      nodeAllocatableStrategy: {
        nodeAllocatable: { a: '20' },
        csiNodeAllocatable: new Map([['driver', { count: 20 }]]),
        migratedPlugins: ['p'],
      },
    });
    expect(operations[3]).toMatchObject({ createPodsOp: { steadyState: true, durationMillis: 1500 } });
    expect(operations[5]).toMatchObject({ intervalMillis: 500, number: 2 });
    expect(operations[6]).toEqual({
      opcode: 'barrier',
      namespaces: [],
      labelSelector: {},
      stageRequirement: 'Scheduled',
    });
    expect(operations[8]).toMatchObject({ durationMillis: 250 });
    expect(operations[13]).toMatchObject({ driverName: 'whatever', nodes: '*' });
    expect(operations[15]).toEqual({ opcode: 'unknown', name: 'startKubelets' });
  });

  it('takes names in any case, as Go does', async () => {
    expect(await operationsOf('  - {Opcode: createNodes, Count: 2, NODETEMPLATEPATH: n.yaml}')).toMatchObject([
      { opcode: 'createNodes', count: 2, nodeTemplatePath: 'n.yaml' },
    ]);
  });

  it.each([
    ['name: x', 'expected a list of test cases, got an object'],
    ['[]', 'holds no test case'],
    ['- {workloads: []}', '[0].name: is required'],
    ['- {name: A, workloads: [{name: x}]}', '[0].workloadTemplate: A has no operation'],
    ['- {name: A, workloadTemplate: [{opcode: barrier}]}', '[0].workloads: A has none'],
    [
      '- {name: A, workloadTemplate: [{opcode: barrier}], workloads: [{name: x}]}',
      '[0].workloadTemplate: no operation of A collects metrics',
    ],
    [around('') + around(''), '[1].name: "Case" is not unique'],
    [around('', '', '  - name: Small'), '[0].workloads[1].name: "Small" is not unique'],
    [around('', '  unheardOf: 1'), '[0].unheardOf: unknown field'],
    [around('', '', '    threshold: -1'), '[0].workloads[0].threshold: expected a number >= 0, got the number -1'],
    [around('  - {count: 1}'), '[0].workloadTemplate[0].opcode: is required'],
    [around('  - 7'), '[0].workloadTemplate[0]: expected an object, got the number 7'],
    [around('  - {opcode: createNodes, cuont: 1}'), '[0].workloadTemplate[0].cuont: unknown field'],
    [around('  - {opcode: createNodes, count: -1}'), '[0].workloadTemplate[0].count: expected a number >= 0'],
    [around('  - {opcode: createNodes, count: 1.5}'), '[0].workloadTemplate[0].count: expected an integer'],
    [around('  - {opcode: createNodes, countParam: nodes}'), '[0].workloadTemplate[0].countParam: expected the name'],
    [around('  - {opcode: churn, mode: shake, templatePaths: [x]}'), '[0].workloadTemplate[0].mode: expected one of'],
    [around('  - {opcode: churn, mode: recreate, templatePaths: [x]}'), 'number: must be > 0 to recreate'],
    [around('  - {opcode: churn, mode: create}'), '[0].workloadTemplate[0].templatePaths: must not be empty'],
    [around('  - {opcode: sleep, duration: long}'), '[0].workloadTemplate[0].duration: time: invalid duration "long"'],
    [around('  - {opcode: createAny}'), '[0].workloadTemplate[0].templatePath: is required'],
    [around('  - {opcode: startCollectingMetrics}'), '[0].workloadTemplate[0].namespaces: must not be empty'],
    [
      around('  - {opcode: barrier, stageRequirement: Bound}'),
      'stageRequirement: expected one of Scheduled, Attempted',
    ],
    [
      around('  - {opcode: createPods, collectMetrics: true, skipWaitToCompletion: true}'),
      '[0].workloadTemplate[0]: collectMetrics and skipWaitToCompletion exclude each other',
    ],
    [
      around('  - {opcode: createNodes, labelNodePrepareStrategy: {labelKey: zone}}'),
      '[0].workloadTemplate[0].labelNodePrepareStrategy.labelValues: must not be empty',
    ],
    ['- {name: [', 'yaml: line 1:'],
    ['- {name: a, name: b}', 'already set in map'],
  ])('refuses %j in one line', async (text, message) => {
    const error = await read(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PerfError);
    expect((error as PerfError).message).toContain(message);
    expect((error as PerfError).message).toMatch(/^suite\/misc\/config\.yaml: .+$/);
  });

  it('answers any text with a configuration or one line', async () => {
    const words = fc.constantFrom(
      '- name: A',
      '  workloads:',
      '  - opcode: barrier',
      '{',
      ']',
      ': ',
      '  labels: [a]',
      '$n',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(words, fc.string()), { maxLength: 8 }), async (lines) => {
        const error = await read(lines.join('\n')).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        if (error !== null) expect((error as PerfError).code).toBe('InvalidPerfConfig');
      }),
    );
  });
});
