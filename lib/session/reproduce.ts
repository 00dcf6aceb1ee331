import type { ApiResponse } from './api-response.js';

/**
 * Shell commands that send the same requests again, one after the other. An identifier that the target assigned, and that
 * a later request names, is kept in a variable.
 */
export function reproduceInTurn(responses: readonly ApiResponse[]): string {
  return commandsInTurn(responses).join('; ');
}

/** The same, a command for each response. */
export function commandsInTurn(responses: readonly ApiResponse[]): string[] {
  const variables = new Map<string, string>();
  return responses.map((response, index) => {
    let { curl } = response;
    for (const [id, variable] of variables) curl = withVariable(curl, id, variable);
    const id = response.exchange.operation === 'createPet' ? response.animal?.id : undefined;
    const later = responses.slice(index + 1);
    if (id === undefined || !later.some((one) => withVariable(one.curl, id, '') !== one.curl)) return curl;
    const variable = `id${variables.size + 1}`;
    variables.set(id, variable);
    return `response=$(${curl}); printf '%s\\n' "$response"; ${variable}=$(printf '%s\\n' "$response" | sed -nE 's/.*"id": *"?(-?[0-9]+).*/\\1/p')`;
  });
}

/** The command with a variable in the place of an identifier, or of the one after it. */
function withVariable(curl: string, id: string, variable: string): string {
  return curl
    .replace(`/pets/${id}'`, `/pets/'"$${variable}"`)
    .replace(`/pets/${BigInt(id) + 1n}'`, `/pets/'"$((${variable} + 1))"`);
}
