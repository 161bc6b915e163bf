import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PerfError } from '../../../src/perf/config/perf-error.ts';
import { ObjectTemplate, type Reading } from '../../../src/perf/template/object-template.ts';

const maker = (text: string, params: Readonly<Record<string, unknown>> = {}, reading: Reading = 'typed') =>
  new ObjectTemplate(text, 'pod.yaml', reading).maker(new Map(Object.entries(params)), 10);

describe('ObjectTemplate', () => {
  it('is one object where nothing depends on the index', () => {
    const pods = maker('metadata: {name: pod, labels: {of: "{{.Count}}"}}\nspec: {replicas: {{.replicas}}}', {
      replicas: 3,
    });
    expect(pods.at(1)).toEqual({ metadata: { name: 'pod', labels: { of: '10' } }, spec: { replicas: 3 } });
    expect(pods.at(2)).toBe(pods.at(1));
  });

  it('puts the index into words, numbers and keys, and shares the rest', () => {
    const pods = maker(
      [
        'metadata: {name: "pod-{{.Index}}", labels: {plain: app-{{Mod .Index 2}}, quoted: "{{.Index}}"}}',
        'spec: {priority: {{.Index}}, memory: {{.Index}}Mi, rest: {a: [1, two]}}',
        'status: {capacity: {example.com/device-{{.Index}}: 1}}',
      ].join('\n'),
    );
    expect(pods.at(12)).toEqual({
      metadata: { name: 'pod-12', labels: { plain: 'app-0', quoted: '12' } },
      spec: { priority: 12, memory: '12Mi', rest: { a: [1, 'two'] } },
      status: { capacity: { 'example.com/device-12': 1 } },
    });
    const rest = (index: number) => (pods.at(index)['spec'] as { rest: unknown }).rest;
    expect(rest(1)).toBe(rest(2));
  });

  it('makes what rendering and parsing each text makes', () => {
    const scalars = fc.constantFrom(
      ...['{{.Index}}', '"{{.Index}}"', 'a{{.Index}}', '{{.Index}}b', '0{{.Index}}', '1{{.Index}}', '-{{.Index}}'],
      ...[
        '{{DivideFloat .Index 4}}',
        '{{if eq .Index 3}}three{{else}}7{{end}}',
        '{{SubtractInt 3 .Index}}',
        '1e{{.Index}}',
      ],
      ...[
        '{{.Index}}.5',
        "'{{.Index}}'",
        '{{if gt .Index 5}}yes{{else}}null{{end}}',
        '0x{{.Index}}',
        '[{{.Index}}, x]',
      ],
    );
    fc.assert(
      fc.property(fc.array(scalars, { minLength: 1, maxLength: 4 }), fc.nat(30), (values, index) => {
        const text = values.map((value, i) => `field${i}: ${value}`).join('\n');
        const atOnce = maker(text).at(index);
        const alone = maker(text.replaceAll('.Index', '.Own'), { Own: index }).at(0);
        expect(atOnce).toEqual(alone);
      }),
    );
  });

  it('reads typed objects as Go does, whatever the case of the first letter, but for free names', () => {
    const text = 'Spec: {Containers: [{Name: c}], NodeSelector: {Zone: x}}\nmetadata: {labels: {App: x}}';
    expect(maker(text).at(0)).toEqual({
      spec: { containers: [{ name: 'c' }], nodeSelector: { Zone: 'x' } },
      metadata: { labels: { App: 'x' } },
    });
    expect(maker(text, {}, 'untyped').at(0)).toHaveProperty('Spec');
  });

  it('drops nulls', () => {
    expect(maker('spec: {a: null, b: 1}').at(0)).toEqual({ spec: { b: 1 } });
  });

  it.each([
    ['a: {{', 'pod.yaml: line 1: {{ without }}'],
    ['a: {{.Missing}}', 'pod.yaml: .Missing is not known here'],
    ['a: [', 'pod.yaml: yaml: line 1: '],
    ['- a', 'pod.yaml: does not describe an object'],
    ['a: 1\na: 2', 'pod.yaml: yaml: line 2: key "a" already set in map'],
  ])('refuses %j', (text, message) => {
    expect(() => maker(text).at(0)).toThrow(PerfError);
    expect(() => maker(text).at(0)).toThrow(message);
  });
});
