import { parseDocument } from 'yaml';
import { UsageProblem } from '../usage/usage-problem.js';

/** What a text says, YAML or JSON. @throws UsageProblem that does not quote it: it may hold a key. */
export function parseYaml(content: string, name: string): unknown {
  const document = parseDocument(content, { prettyErrors: false });
  const [problem] = document.errors;
  if (problem) throw new UsageProblem(`${name} is not valid: ${problem.code} at character ${problem.pos[0]}`);
  return document.toJS();
}
