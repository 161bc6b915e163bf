/** A page that schedules: one thread, no server behind it. Build it with vite: `vite build`. */
import { loadKernels, Scheduler } from 'kube-berth/browser';

const scheduler = new Scheduler({ kernels: await loadKernels() });
for (const [name, cpu] of [
  ['small', '1'],
  ['medium', '2'],
  ['large', '4'],
] as const) {
  scheduler.addNode({ metadata: { name }, status: { allocatable: { cpu, memory: '8Gi', pods: '110' } } });
}

const input = document.querySelector<HTMLInputElement>('#cpu');
const answer = document.querySelector('#answer');
let pods = 0;

function schedule(): void {
  const requests = { cpu: input?.value ?? '1' };
  const pod = {
    metadata: { name: `pod-${pods++}` },
    spec: { containers: [{ name: 'main', resources: { requests } }] },
  };
  try {
    const result = scheduler.schedule(pod);
    const line = result.status === 'scheduled' ? result.node : 'message' in result ? result.message : result.status;
    answer?.append(`${pod.metadata.name}, cpu ${requests.cpu}: ${line}\n`);
  } catch (error) {
    answer?.append(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}

document.querySelector('#schedule')?.addEventListener('click', schedule);
