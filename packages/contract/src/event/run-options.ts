import type { SandboxMode } from '../tool/index.ts'

interface ChosenOptions {
  readonly model?: string
  readonly sandbox_mode?: SandboxMode
}

/** A conversation after `conversation_options_changed`: null is what the agent or the device uses, which a conversation does not name. */
export function withRunOptions<Shown extends ChosenOptions>(
  { model: _model, sandbox_mode: _mode, ...rest }: Shown,
  { model, sandbox_mode }: { readonly model: string | null; readonly sandbox_mode: SandboxMode | null },
): Omit<Shown, keyof ChosenOptions> & ChosenOptions {
  return { ...rest, ...(model === null ? {} : { model }), ...(sandbox_mode === null ? {} : { sandbox_mode }) }
}
