import { expect, it, test } from 'vitest';
import { decodeContinue, encodeContinue } from '../../../src/apiserver/requests/continue-token.ts';

const tokenOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const VERSION = { v: 'meta.k8s.io/v1' };

it('reads what it writes', () => {
  const key = { namespace: 'ns', name: 'a\u0000', version: 7 };
  expect(decodeContinue(encodeContinue({ ...key, name: 'a' }))).toEqual(key);
});

test.each([
  ['a!', 'illegal base64 data at input byte 1'],
  ['abcde', 'illegal base64 data at input byte 4'],
  ['YQ==', 'illegal base64 data at input byte 2'],
  ['', 'unexpected end of JSON input'],
  ['AAAA', "invalid character '\\x00' looking for beginning of value"],
  ['xyz0', "invalid character 'Ç' looking for beginning of value"],
  ['gA', "invalid character '\\u0080' looking for beginning of value"],
  ['e30', 'server does not recognize this encoded version ""'],
  [tokenOf({ ...VERSION, start: 'a' }), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
  [tokenOf({ ...VERSION, rv: 5 }), 'encoded start key empty (version meta.k8s.io/v1)'],
  [tokenOf({ ...VERSION, rv: 5, start: '../x' }), '../x'],
])('refuses %s', (token, why) => {
  expect(() => decodeContinue(token)).toThrow(`invalid continue token: continue key is not valid: ${why}`);
});
