import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  readBindingAnswer,
  readFilterAnswer,
  readPreemptionAnswer,
  readPriorities,
} from '../../../src/core/extenders/answers.ts';

const READERS = { readFilterAnswer, readPriorities, readPreemptionAnswer, readBindingAnswer };

test('no text makes a reader throw', () => {
  const near = fc.constantFrom('Nodes', 'items', 'NodeNames', 'FailedNodes', 'Error', 'Host', 'Score', 'Pods', 'UID');
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, 1, 1.5, 'x', ''),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(near, fc.constant('NodeNameToMetaVictims'), fc.string()), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(
      fc.oneof(
        json.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      (text) => {
        for (const read of Object.values(READERS)) {
          const answer = read(text);
          expect('error' in answer ? answer.error : 'fine').not.toBe('');
        }
      },
    ),
  );
});

describe('filter', () => {
  test('fields in any case, others ignored, null and nothing the same', () => {
    expect(readFilterAnswer('{"nodenames":["a"],"FAILEDNODES":{"b":"no"},"more":1,"Nodes":null}')).toEqual({
      answer: {
        nodes: null,
        nodeNames: ['a'],
        failedNodes: new Map([['b', 'no']]),
        failedAndUnresolvableNodes: new Map(),
        error: '',
      },
    });
    expect(readFilterAnswer('null')).toMatchObject({ answer: { nodes: null, nodeNames: null } });
    expect(readFilterAnswer('{"Nodes":{}}')).toMatchObject({ answer: { nodes: [] } });
    expect(readFilterAnswer('{"Nodes":{"items":[null]}}')).toMatchObject({ answer: { nodes: [{}] } });
  });

  test.each([
    ['[]', 'json: cannot unmarshal array into Go value of type v1.ExtenderFilterResult'],
    ['{"Error":1}', 'json: cannot unmarshal number into Go struct field ExtenderFilterResult.Error of type string'],
    ['{"NodeNames":"a"}', /string into Go struct field ExtenderFilterResult\.NodeNames of type \[\]string$/],
    [
      '{"NodeNames":[true]}',
      'json: cannot unmarshal bool into Go struct field ExtenderFilterResult.NodeNames of type string',
    ],
    [
      '{"Nodes":[]}',
      'json: cannot unmarshal array into Go struct field ExtenderFilterResult.Nodes of type v1.NodeList',
    ],
    [
      '{"Nodes":{"items":[{"metadata":{"labels":{"a":1}}}]}}',
      /^json: cannot unmarshal Nodes\.items\.metadata\.labels\.a: /,
    ],
    ['{"Nodes":{"items":[{"status":{"allocatable":{"cpu":"x"}}}]}}', /cpu: invalid quantity "x"/],
  ])('%s', (text, error) => {
    expect(readFilterAnswer(text)).toEqual({ error: expect.stringMatching(error) });
  });
});

describe('prioritize', () => {
  test('scores are whole numbers of 64 bits, exactly', () => {
    expect(readPriorities('[{"Host":"a","Score":9007199254740993},{"host":"b"}]')).toEqual({
      answer: [
        { host: 'a', score: 9007199254740993n },
        { host: 'b', score: 0 },
      ],
    });
  });

  test.each([
    ['[{"Score":1.0}]', 'json: cannot unmarshal number 1.0 into Go struct field HostPriority.Score of type int64'],
    ['[{"Score":"1"}]', 'json: cannot unmarshal string into Go struct field HostPriority.Score of type int64'],
    ['[{"Score":9223372036854775808}]', /number 9223372036854775808 into/],
    ['{}', 'json: cannot unmarshal object into Go value of type v1.HostPriorityList'],
    ['[1]', 'json: cannot unmarshal number into Go value of type v1.HostPriority'],
  ])('%s', (text, error) => {
    expect(readPriorities(text)).toEqual({ error: expect.stringMatching(error) });
  });
});

test('preempt: victims by node', () => {
  const text = '{"NodeNameToMetaVictims":{"n":{"Pods":[{"UID":"u"}],"NumPDBViolations":2},"m":null}}';
  expect(readPreemptionAnswer(text)).toEqual({
    answer: new Map([
      ['n', { uids: ['u'], pdbViolations: 2 }],
      ['m', { uids: [], pdbViolations: 0 }],
    ]),
  });
  expect(readPreemptionAnswer('{"NodeNameToMetaVictims":{"n":{"NumPDBViolations":"2"}}}')).toEqual({
    error:
      'json: cannot unmarshal string into Go struct field ' +
      'MetaVictims.NodeNameToMetaVictims.NumPDBViolations of type int64',
  });
});

test('bind: an empty error is success', () => {
  expect(readBindingAnswer('{"Error":""}')).toEqual({ answer: null });
  expect(readBindingAnswer('{}')).toEqual({ answer: null });
  expect(readBindingAnswer('{"Error":"no"}')).toEqual({ error: 'no' });
});
