import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectUrl, urlObjects } from '../../../src/cli/terminal/url-objects.ts';
import { ObjectServer } from '../../sweep/on-kubernetes/object-server.ts';
import { berth } from '../run-berth.ts';

const server = new ObjectServer((authorization) => /^Bearer t$|^AWS4-HMAC-SHA256 /.test(authorization));
let base = '';
beforeAll(async () => {
  base = await server.start();
});
afterAll(() => server.close());

const text = async (content: Promise<Uint8Array | undefined>) => Buffer.from((await content) ?? []).toString();
const ENVIRONMENT = { BERTH_RESULTS_AUTHORIZATION: 'Bearer t' };

describe('objects under URLs', () => {
  it('are put and read, and may be missing', async () => {
    const objects = urlObjects(ENVIRONMENT, async () => {});
    await objects.put(`${base}/a/b?sig=x`, Buffer.from('ä'));
    expect(await text(objects.get(`${base}/a/b?sig=x`))).toBe('ä');
    expect(await objects.get(`${base}/none`)).toBeUndefined();
  });

  it('are tried again while the store is busy, with longer and longer pauses', async () => {
    const pauses: number[] = [];
    const objects = urlObjects(ENVIRONMENT, async (millis) => {
      pauses.push(millis);
    });
    server.busyRequests = 3;
    await objects.put(`${base}/busy`, Buffer.from('x'));
    expect(pauses).toEqual([500, 1000, 2000]);
    server.busyRequests = 9;
    await expect(objects.get(`${base}/busy?secret`)).rejects.toThrow(
      `${base}/busy: cannot be read: the server answered 503 SlowDown, 5 times`,
    );
    server.busyRequests = 0;
  });

  it('say why they are refused, without the query, which may be a signature', async () => {
    const objects = urlObjects({}, async () => {});
    await expect(objects.put(`${base}/x?sig=secret`, Buffer.from(''))).rejects.toThrow(
      new RegExp(`^${base}/x: cannot be written: the server answered 403 AccessDenied$`),
    );
    await expect(objects.get('http://127.0.0.1:9/x')).rejects.toThrow(/\/x: cannot be read: \S+.*, 5 times$/);
    await expect(objects.get('s3://bucket/x')).rejects.toThrow(/needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
  });

  it('of S3 are signed for the bucket of the endpoint', async () => {
    const keys = { AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 'SK', AWS_SESSION_TOKEN: 'ST' };
    const objects = urlObjects({ ...keys, AWS_ENDPOINT_URL: `${base}/`, AWS_REGION: 'eu-1' }, async () => {});
    await objects.put('s3://bucket/a/part 1', Buffer.from('x'));
    expect(await text(objects.get('s3://bucket/a/part 1'))).toBe('x');
    expect([...server.objects.keys()]).toContain('/bucket/a/part%201');
    expect(server.lastHeaders['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/eu-1\/s3\/aws4_request, /,
    );
    expect(server.lastHeaders['x-amz-security-token']).toBe('ST');
  });

  it('have names in the folder of a URL', () => {
    expect(objectUrl('https://h/a/', 'b/c')).toBe('https://h/a/b/c');
    expect(objectUrl('https://h/a?x=1?2', 'b')).toBe('https://h/a/b?x=1?2');
  });
});

describe('a sweep into a URL', () => {
  const sweep = ['sweep', '--kind', 'basic', '--nodes', '5', '--pods', '9', '--seeds', '1..4', '--workers', '1'];
  const run = (...more: string[]) =>
    berth([...sweep, ...more], {}, { objects: urlObjects(ENVIRONMENT, async () => {}) });
  const stored = (name: string) => server.objects.get(name)?.toString() ?? '';

  it('writes its shard as an object, and goes on with one that was cut off', async () => {
    const url = `${base}/s/part-{shard}.ndjson`;
    const { code, logged } = await run('--shard', '2/2', '-o', url);
    expect({ code, logged }).toEqual({ code: 0, logged: [expect.stringMatching(/^2 of 2 runs/)] });
    const whole = stored('/s/part-2.ndjson');
    expect(whole.split('\n')).toHaveLength(4);
    expect((await run('--shard', '2/2', '-o', url)).logged[0]).toMatch(/exists already; --resume goes on with it$/);
    server.objects.set('/s/part-2.ndjson', Buffer.from(whole.slice(0, -40)));
    expect((await run('--shard', '2/2', '-o', url, '--resume')).logged[0]).toMatch(
      /^2 of 2 runs, 1 of them from before/,
    );
    expect(stored('/s/part-2.ndjson')).toBe(whole);
    server.objects.set('/s/part-2.ndjson', Buffer.from(whole.replace('"planHash":"', '"planHash":"0')));
    expect((await run('--shard', '2/2', '-o', url, '--resume')).logged[0]).toMatch(
      /part-2\.ndjson: is of another sweep/,
    );
    expect((await run('-o', `${base}/t.csv`)).logged[0]).toMatch(/under a URL there are JSON lines only/);
  });
});
