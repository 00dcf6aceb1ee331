/** What the system calls an error, `ENOENT`; `unknown error` if it does not say. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
