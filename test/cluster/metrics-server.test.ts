import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { MetricsServer, type MetricsSource } from '../../src/cluster/metrics-server.ts';
import { FakeClock } from '../../src/lib/clock.ts';
import { SchedulerMetrics } from '../../src/scheduler/metrics/scheduler-metrics.ts';

const open: MetricsServer[] = [];

async function serve(source: () => MetricsSource | null, port = 0): Promise<MetricsServer> {
  const server = await MetricsServer.open(port, source);
  open.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function get(server: MetricsServer, path: string, method = 'GET') {
  const response = await fetch(`${server.url}${path}`, { method });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

describe('MetricsServer', () => {
  it('serves the metrics of the scheduler that is there now', async () => {
    const metrics = new SchedulerMetrics(new FakeClock());
    let source: MetricsSource | null = null;
    const server = await serve(() => source);
    expect(await get(server, '/metrics')).toMatchObject({ status: 200, text: '' });
    source = { registry: metrics.registry, isReady: true };
    metrics.attemptFinished('scheduled', 'p', 1);
    const { text, type } = await get(server, '/metrics?x=1');
    expect(text).toContain('scheduler_schedule_attempts_total{result="scheduled",profile="p"} 1');
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it('is healthy at once, and ready when the scheduler is', async () => {
    let isReady = false;
    const server = await serve(() => ({ registry: new Registry(), isReady }));
    expect(await get(server, '/healthz')).toMatchObject({ status: 200, text: 'ok' });
    expect(await get(server, '/readyz')).toMatchObject({ status: 503, text: 'not ready' });
    isReady = true;
    expect(await get(server, '/readyz')).toMatchObject({ status: 200, text: 'ok' });
  });

  it('knows nothing else', async () => {
    const server = await serve(() => null);
    expect(await get(server, '/')).toMatchObject({ status: 404 });
    expect(await get(server, '/metrics', 'POST')).toMatchObject({ status: 405 });
    expect(await get(server, '/healthz', 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  it('says when the port is taken, and gives it back when it is closed', async () => {
    const server = await serve(() => null);
    const port = Number(new URL(server.url).port);
    await expect(MetricsServer.open(port, () => null)).rejects.toMatchObject({ code: 'PortNotAvailable' });
    await server.close();
    expect((await serve(() => null, port)).url).toBe(server.url);
  });
});
