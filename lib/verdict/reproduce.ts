import { curlOf } from '../evidence/curl.js';
import type { Exchange } from '../evidence/exchange.js';
import { parseJson, writeJson } from '../specification/json-value.js';

/**
 * Shell commands that send the same requests again, one after the other. An identifier that the target assigned, and that
 * a later request names, is kept in a variable.
 */
export function reproduceInTurn(responses: readonly Exchange[]): string {
  const variables = new Map<string, string>();
  const commands = responses.map((response, index) => {
    const { operation, request } = response;
    const later = responses.slice(index + 1);
    let curl = operation === 'createPet' && later.length > 0 ? curlOf(plain(request)) : response.curl;
    for (const [id, variable] of variables) curl = withVariable(curl, id, variable);
    const id = operation === 'createPet' ? response.animal?.id : undefined;
    if (id === undefined || !later.some((one) => withVariable(one.curl, id, '') !== one.curl)) return curl;
    const variable = `id${variables.size + 1}`;
    variables.set(id, variable);
    return `response=$(${curl.replace(/(^|\| )curl -i /u, '$1curl -sSi ')}); printf '%s\\n' "$response"; ${variable}=$(printf '%s\\n' "$response" | sed -nE 's/.*"id": *"?(-?[0-9]+).*/\\1/p')`;
  });
  return commands.join('; ');
}

/** The request with its JSON in the plain spelling: what prepares another request is no test of a parser. */
export function plain(request: Exchange['request']): Exchange['request'] {
  const parsed = parseJson(request.body ?? '');
  return parsed.ok && !request.latin1 ? { ...request, body: writeJson(parsed.value) } : request;
}

/** The command with a variable in the place of an identifier, or of the one after it. */
function withVariable(curl: string, id: string, variable: string): string {
  return curl
    .replace(`/pets/${id}'`, `/pets/'"$${variable}"`)
    .replace(`/pets/${BigInt(id) + 1n}'`, `/pets/'"$((${variable} + 1))"`);
}
