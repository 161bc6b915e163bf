import { afterAll, beforeAll, expect, it } from 'vitest';
import { berth } from '../cli/run-berth.ts';
import { BadKubeconfigs } from './bad-kubeconfigs.ts';

let bad: BadKubeconfigs;
beforeAll(async () => {
  bad = await BadKubeconfigs.open();
});
afterAll(() => bad[Symbol.asyncDispose]());

const SERVER = 'server: "kubernetes": must be a URL such as https://10.0.0.1:6443';
const UNVERIFIED = 'https://HOST: tls: failed to verify certificate: x509:';

/** What is wrong with the file, after its name. */
const WITH_THE_FILE: Readonly<Record<string, string>> = {
  missing: 'no such file',
  empty: 'is empty, or no kubeconfig',
  list: 'current-context: is not set: name one with --context',
  broken: 'is not YAML: missed comma between flow collection entries (2:1)',
  bare: 'current-context: is not set: name one with --context',
  'no-such-context': 'there is no context "prod"',
};

/** What is wrong with the context x, after the name of the file. */
const WITH_THE_CONTEXT: Readonly<Record<string, string>> = {
  'no-such-cluster': 'there is no cluster "d" with a server',
  'no-such-user': 'there is no user "w"',
  'no-url': `cluster "c": ${SERVER}`,
  ftp: `cluster "c": ${SERVER.replace('kubernetes', 'ftp://127.0.0.1')}`,
  'no-proxy':
    'cluster "c": proxy-url: "proxy:3128": must be a URL with http, https or socks5, such as http://10.0.0.2:3128',
  'broken-authority': 'certificate-authority: is no certificate in PEM',
  'missing-authority': 'certificate-authority: /no/such: no such file',
  'broken-client': 'client-certificate: is no certificate in PEM',
  'other-key': 'client-key: does not belong to the client-certificate',
  'half-client': 'client-key: is missing, and there is a client-certificate',
  'missing-token-file': 'tokenFile: /no/such/token: no such file',
  'missing-program': 'exec "/no/such/program": no such program',
  'failing-program': 'exec "sh": log in first',
  'chatty-program': 'exec "echo": its output is no ExecCredential in JSON',
};

/** What the cluster says, or how it cannot be reached. */
const WITH_THE_CLUSTER: Readonly<Record<string, string>> = {
  closed: 'https://127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused',
  'wrong-authority': `${UNVERIFIED} certificate signed by unknown authority`,
  'no-authority': `${UNVERIFIED} certificate signed by unknown authority`,
  'other-name': `${UNVERIFIED} certificate is not valid for this name`,
  'expired-server': `${UNVERIFIED} certificate has expired or is not yet valid`,
  'expired-client': 'https://HOST: Unauthorized (the client certificate expired at 2021-01-01T00:00:00Z)',
  'unknown-token': 'https://HOST: Unauthorized',
  'expired-token': 'https://HOST: Unauthorized (the token expired at 2020-09-13T12:26:40Z)',
  'few-rights': 'rights are missing: list nodes',
  'certificate-with-few-rights': 'rights are missing: list nodes',
};

const CASES = [
  ...Object.entries(WITH_THE_FILE).map(([name, why]) => [name, `kubeconfig DIR/${name}: ${why}`]),
  ...Object.entries(WITH_THE_CONTEXT).map(([name, why]) => [name, `kubeconfig DIR/${name}: context "x": ${why}`]),
  ...Object.entries(WITH_THE_CLUSTER),
] as [string, string][];

it.each(CASES)('%s: %s', async (name, line) => {
  const { code, out, logged } = await berth(['import', '--kubeconfig', bad.path(name)]);
  expect({ code, out, logged: logged.map((each) => bad.shown(each)) }).toEqual({
    ...{ code: 1, out: '' },
    logged: [`error: ${line}`],
  });
});

it('has a case for each kubeconfig', () => {
  // A connection that is broken without an answer is tried for ten seconds: test/clients/bad-clusters.check.ts waits.
  const tried = [...CASES.map(([name]) => name), 'expired-client-at-proxy'];
  expect(tried.filter((name) => name !== 'missing').sort()).toEqual([...bad.names].sort());
});
