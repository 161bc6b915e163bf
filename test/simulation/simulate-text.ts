import { checkConfiguration } from '../../src/caller/load-configuration.ts';
import { loadSimulation, type SimulationFiles, type SimulationRequest } from '../../src/simulation/load-simulation.ts';
import { Simulation } from '../../src/simulation/simulation.ts';
import { refuseTooManyPods } from '../../src/simulation/workload/wanted-pods.ts';
import { textSource } from '../manifests/text-source.ts';

/** What a simulation of these files depends on; all manifests are in `objects.yaml`. */
export async function loadText(
  files: Readonly<Record<string, string>>,
  request: Partial<SimulationRequest> = {},
  reading?: SimulationFiles['reading'],
) {
  const manifests = 'objects.yaml' in files ? ['objects.yaml'] : [];
  return loadSimulation(
    { manifests, seed: 1, ...request },
    {
      files: textSource(files),
      reading,
      checkObjects: refuseTooManyPods,
      readConfiguration: async (name) => {
        const loaded = checkConfiguration(files[name] ?? '');
        if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
        return loaded.configuration;
      },
    },
  );
}

/** Runs it to its end. */
export async function simulateText(files: Readonly<Record<string, string>>, request: Partial<SimulationRequest> = {}) {
  const { input } = await loadText(files, request);
  const lines: string[] = [];
  const simulation = new Simulation(input, (line) => lines.push(line));
  simulation.start();
  while (simulation.end === undefined) simulation.run(1000);
  return { simulation, summary: simulation.summary(), lines };
}

/** A Job as YAML; `more` is put into its spec. */
export const job = (name: string, more = '', run = '10s') => `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec:
  template:
    metadata: {annotations: {berth.dev/run-duration: ${run}}}
    spec: {restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}
${more}
---
`;

export const workload = (arrivals: string) => `apiVersion: berth.dev/v1alpha1
kind: Workload
arrivals:
${arrivals}`;

export const faults = (list: string) => `apiVersion: berth.dev/v1alpha1
kind: Faults
faults:
${list}`;
