// What remembering costs: whether the model is used in the background, how many tokens it may use per day, and how many it has used.
import type { Settings } from '@tandem/contract/command'
import { useWindowState } from '../../client/use-client.ts'
import type { ReadRequest } from '../../client/use-request.ts'
import { Form } from '../../part/form/form.tsx'
import { SubmitActions } from '../../part/form/submit-actions.tsx'
import { TextField } from '../../part/form/text-field.tsx'
import { useDraft } from '../../part/form/use-form.ts'
import { useSaveSettings } from '../../part/form/use-save-settings.ts'
import { LoadingPlaceholder } from '../../part/load-error.tsx'
import { Panel } from '../../part/section.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { words } from '../../strings/window.ts'
import type { MemoryStatus } from './status-notes.tsx'

const told = memoryWords.options

export function BackgroundUse({ status }: { status: ReadRequest<MemoryStatus> }) {
  const settings = useWindowState((state) => state.settings)
  return <Panel className="p-4">{settings ? <BackgroundForm settings={settings} status={status} /> : <LoadingPlaceholder />}</Panel>
}

function BackgroundForm({ settings, status }: { settings: Settings; status: ReadRequest<MemoryStatus> }) {
  const { state: asked, reload } = status
  const { form, save } = useSaveSettings()
  const stored = (name: string) => settings.sections.find(({ section, setting }) => section === 'memory' && setting === name)?.value
  const [draft, setDraft] = useDraft({ enabled: stored('background_model') === true, tokens: String(stored('daily_tokens') ?? '') })
  const submit = async () => {
    const isSaved = await save({
      sections: [
        { section: 'memory', setting: 'background_model', value: draft.enabled },
        { section: 'memory', setting: 'daily_tokens', value: draft.tokens.trim() === '' ? null : Number(draft.tokens) },
      ],
    })
    if (isSaved) await reload()
  }
  return (
    <Form form={form} onSubmit={submit} className="grid max-w-xl gap-4">
      <label className="flex cursor-pointer items-start gap-2.5">
        <input
          type="checkbox"
          data-field="background_model"
          checked={draft.enabled}
          onChange={(event) => setDraft({ ...draft, enabled: event.target.checked })}
          className="mt-1.5 accent-(--cloud)"
        />
        <span>
          {told.useModel}
          {stored('background_model') === true && asked.state === 'ready' && !asked.value.background.enabled && (
            <span className="block text-sm text-warn">{told.turnedOff}</span>
          )}
        </span>
      </label>
      <div>
        <TextField
          label={told.dailyTokens}
          field="sections[1].value"
          type="number"
          value={draft.tokens}
          onChange={(tokens) => setDraft({ ...draft, tokens })}
        />
        <p className="mt-1 text-faint text-sm">{spentText(status)}</p>
      </div>
      <SubmitActions label={words.save} />
    </Form>
  )
}

function spentText({ state: asked }: ReadRequest<MemoryStatus>): string {
  if (asked.state !== 'ready') return ''
  const { tokens_today, daily_tokens } = asked.value.background
  return memoryWords.tokens(tokens_today, daily_tokens)
}
