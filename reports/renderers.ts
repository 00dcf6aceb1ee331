import { earl } from './earl.js';
import { har } from './har.js';
import { htmlReport } from './html/render.js';
import { junit } from './junit.js';
import { markdown } from './markdown.js';
import type { Renderer } from './renderer.js';

/** Every way to tell a run in a file, by the name that `--report` takes. */
export const renderers = { html: htmlReport, junit, markdown, har, earl } as const satisfies Record<
  string,
  Renderer
>;

export type RendererName = keyof typeof renderers;

export const rendererNames = Object.keys(renderers) as RendererName[];
