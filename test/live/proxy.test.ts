import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { LiveRig } from './live-rig.ts';

it('reaches a cluster by the proxy of its kubeconfig', async () => {
  await using rig = await LiveRig.open({ nodes: 2 });
  const asked: string[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, client) => {
    asked.push(url);
    const [host = '', port] = url.split(':');
    const server = connect(Number(port), host, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    server.on('error', () => client.destroy()).pipe(client);
    client.on('error', () => server.destroy()).pipe(server);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const kubeconfig = rig.served.writeKubeconfig();
  const text = readFileSync(kubeconfig, 'utf8');
  const server = /server: "?https:\/\/([^"\n]*)/.exec(text)?.[1];
  const proxied = `${kubeconfig}-proxy`;
  writeFileSync(proxied, text.replace(/( *)server: .*/, `$&\n$1proxy-url: http://127.0.0.1:${port}`), { mode: 0o600 });
  await rig.scheduler({}, { kubeconfig: proxied });
  await rig.createPods(3);
  await vi.waitFor(() => expect(rig.boundCount()).toBe(3), { timeout: 30_000 });
  expect(new Set(asked)).toEqual(new Set([server]));
  proxy.close();
});
