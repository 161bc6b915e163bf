import { isIP } from 'node:net';
import { type Check, isMissing, isObject, quote } from './check.ts';
import { dnsLabel } from './names.ts';
import { resourceRequirements } from './resources.ts';
import { arrayOf, integer, object, oneOf, required, string } from './shapes.ts';

const PORT_MAX = 65535;

const ipAddress: Check = (value, field, problems) => {
  if (isMissing(value) || value === '') return;
  if (typeof value !== 'string') string(value, field, problems);
  else if (isIP(value) === 0) problems.push({ field, reason: `bad IP address ${quote(value)}` });
};

const port = object({
  containerPort: integer(1, PORT_MAX),
  hostPort: integer(0, PORT_MAX),
  hostIP: ipAddress,
  protocol: oneOf('protocol', 'TCP', 'UDP', 'SCTP', ''),
});

const container = object({
  name: dnsLabel,
  image: string,
  ports: arrayOf(port),
  resources: resourceRequirements,
  restartPolicy: oneOf('restartPolicy', 'Always', 'OnFailure', 'Never', ''),
  restartPolicyRules: arrayOf(object({ action: required(string) })),
});

export const containers: Check = arrayOf(container);

/** Names are unique over both kinds of containers. */
export const uniqueContainerNames: Check = (value, field, problems) => {
  if (!isObject(value)) return;
  const seen = new Set<string>();
  for (const list of ['initContainers', 'containers']) {
    const items = value[list];
    if (!Array.isArray(items)) continue;
    for (let i = 0; i < items.length; i++) {
      const name: unknown = isObject(items[i]) ? items[i].name : undefined;
      if (typeof name !== 'string') continue;
      if (seen.has(name)) {
        problems.push({ field: `${field}.${list}[${i}].name`, reason: `duplicate container name ${quote(name)}` });
      }
      seen.add(name);
    }
  }
};
