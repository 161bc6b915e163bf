import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/perf/config/operations.ts';
import { Params } from '../../../src/perf/config/params.ts';
import { stepsOf } from '../../../src/perf/config/steps.ts';

const params = (values: Readonly<Record<string, number | string | boolean>>) =>
  new Params(new Map(Object.entries(values)), 'file: Case/Small');

const steps = (operations: Operation[], values: Readonly<Record<string, number | string | boolean>> = {}) =>
  stepsOf(operations, params(values), 'file: Case/Small');

describe('stepsOf', () => {
  it('puts parameters in', () => {
    const [nodes, pods, any] = steps(
      [
        { opcode: 'createNodes', count: 9, countParam: '$n' },
        {
          opcode: 'createPods',
          countParam: '$n',
          countMultiplierParam: '$n',
          steadyStateParam: '$steady',
          durationParam: '$long',
          signatureBatchSizeParam: '$n',
          templateParams: new Map<string, string | number>([
            ['x', '$n'],
            ['y', 'as it is'],
            ['z', 1.5],
          ]),
        },
        { opcode: 'createAny', templatePath: 'x' },
      ],
      { n: 3, steady: true, long: '1m' },
    );
    expect(nodes).toMatchObject({ count: 3 });
    expect(pods).toMatchObject({ count: 9, steadyState: true, durationMillis: 60_000, signatureBatchSize: 3 });
    expect(pods).toMatchObject({
      templateParams: new Map<string, unknown>([
        ['x', 3],
        ['y', 'as it is'],
        ['z', 1.5],
      ]),
    });
    expect(any).toMatchObject({ count: 1 });
  });

  it('unrolls pod sets, and names namespaces by the place of the step after that', () => {
    const unrolled = steps([
      { opcode: 'createNodes', count: 1 },
      { opcode: 'createPodSets', count: 2, namespacePrefix: 'set', createPodsOp: { opcode: 'createPods', count: 5 } },
      { opcode: 'createPods', count: 7 },
      { opcode: 'churn', mode: 'create', number: 0, intervalMillis: 1, templatePaths: ['x'] },
      { opcode: 'createPods', count: 8, namespace: 'own' },
    ]);
    expect(unrolled.map((step) => ('namespace' in step ? step.namespace : ''))).toEqual([
      ...['', 'set-0', 'set-1', 'namespace-3', 'namespace-4', 'own'],
    ]);
  });

  it('refuses what a parameter cannot be', () => {
    const pods = (more: object) => [{ opcode: 'createPods', ...more }] as Operation[];
    expect(() => steps(pods({ countParam: '$m' }), { n: 1 })).toThrow('file: Case/Small: parameter m is not defined');
    expect(() => steps(pods({ countParam: '$n' }), { n: 'x' })).toThrow('parameter n: expected a number, got "x"');
    expect(() => steps(pods({ countParam: '$n' }), { n: -1 })).toThrow('parameter n: expected a number >= 0, got -1');
    expect(() => steps(pods({ steadyStateParam: '$n' }), { n: 1 })).toThrow('expected true or false, got 1');
    expect(() => steps(pods({ durationParam: '$n' }), { n: 1 })).toThrow('expected a duration such as "10s", got 1');
    expect(() => steps(pods({ steadyState: true }))).toThrow(
      'operation 0 (createPods): a steady state needs a duration',
    );
  });

  it('knows which parameters nobody asked for', () => {
    const some = params({ used: 1, typo: 2, other: 3 });
    stepsOf([{ opcode: 'createNodes', countParam: '$used' }], some, 'title');
    expect(() => some.checkUnused()).toThrow('file: Case/Small: parameters that no operation uses: typo, other');
    expect(() => params({}).checkUnused()).not.toThrow();
  });
});
