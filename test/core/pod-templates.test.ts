import { expect, test } from 'vitest';
import { PodTemplates } from '../../src/core/pod-templates.ts';
import { podRequirements } from '../../src/framework/pod-info.ts';
import type { Pod } from '../../src/index.ts';
import { makePod } from '../builders/make-pod.ts';

function start(): { readonly templates: PodTemplates; readonly asked: string[] } {
  const asked: string[] = [];
  const requirementsOf = (pod: Pod) => {
    asked.push(pod.metadata?.name ?? '');
    return podRequirements(pod);
  };
  return { templates: new PodTemplates({ of: requirementsOf, besideNode: null }, () => undefined), asked };
}

const { spec } = makePod('any', { requests: { cpu: 1 } });
const of = (name: string, rest: Partial<Pod> = { spec }): Pod => ({ metadata: { name }, ...rest });

test('pods with the same contents of their spec share a template', () => {
  const { templates, asked } = start();
  const a = templates.of(of('a'));
  expect(templates.of(of('b', { spec: structuredClone(spec) }))).toBe(a);
  expect(asked).toEqual(['a']);
});

test('pods with one spec object share a template, in any order', () => {
  const { templates, asked } = start();
  const other = { spec: { ...spec, priority: 7 } };
  const [a, b] = [templates.of(of('a')), templates.of(of('b', other))];
  expect(a).not.toBe(b);
  expect(templates.of(of('c'))).toBe(a);
  expect(templates.of(of('d', other))).toBe(b);
  expect(templates.known(of('e'))).toBe(a);
  expect(asked).toEqual(['a', 'b']);
});

test('a spec is known once it has been made a template of, and not before', () => {
  const { templates } = start();
  expect(templates.known(of('a'))).toBe(undefined);
  // To have asked must not be remembered as an answer.
  const made = templates.of(of('b'));
  expect(templates.known(of('c'))).toBe(made);
});

test('a pod without a spec, or in the middle of a resize, is one of its own', () => {
  const { templates, asked } = start();
  const resized = of('resized', { spec, status: { containerStatuses: [{ name: 'app', resources: {} }] } });
  const first = templates.of(resized);
  expect(templates.of(resized)).not.toBe(first);
  expect(templates.known(resized)).toBe(undefined);
  // What was made for it is not passed on to others of its spec, nor theirs to it.
  const plain = templates.of(of('plain'));
  expect(plain).not.toBe(first);
  expect(templates.of(resized)).not.toBe(plain);
  expect(templates.of(of('none', {}))).not.toBe(templates.of(of('none', {})));
  expect(asked).toEqual(['resized', 'resized', 'plain', 'resized', 'none', 'none']);
});

test('knows which pods bring constraints about other pods', () => {
  const { templates } = start();
  const has = (more: object): boolean => templates.of(of('p', { spec: { ...spec, ...more } })).hasTopology;
  const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
  expect(has({})).toBe(false);
  expect(has({ topologySpreadConstraints: [], affinity: { nodeAffinity: {} } })).toBe(false);
  expect(has({ topologySpreadConstraints: [constraint] })).toBe(true);
  expect(has({ affinity: { podAffinity: {} } })).toBe(true);
  expect(has({ affinity: { podAntiAffinity: {} } })).toBe(true);
});

test('tells of a known pod whether it may have names that its template leaves open', () => {
  const { templates } = start();
  const specs = [{}, { hostname: 'h' }, { volumes: [{ name: 'v', emptyDir: {} }] }].map((more) => ({
    ...spec,
    ...more,
  }));
  const mayHaveNames = (pod: Pod): boolean => {
    expect(templates.known(pod)).toBeDefined();
    return templates.mayHaveNames;
  };
  templates.of(of('a'));
  const copies = specs.map((each) => of('b', { spec: structuredClone(each) as Pod['spec'] }));
  expect(copies.map(mayHaveNames)).toEqual([false, true, true]);
  // Of a shared spec nobody looks what is in it.
  expect(mayHaveNames(of('c'))).toBe(true);
});
