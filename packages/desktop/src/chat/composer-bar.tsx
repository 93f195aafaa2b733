// The bar below the text: files, model, sandbox, and send or stop.
import { sandboxModes } from '@tandem/contract/tool'
import { useRef } from 'react'
import { useWindowState } from '../client/use-client.ts'
import { focusComposer } from '../part/composer-focus.ts'
import { FieldError } from '../part/form/form.tsx'
import { useField } from '../part/form/use-form.ts'
import { Icon } from '../part/icon.tsx'
import { useModelPicker } from '../part/model-picker.tsx'
import { writingWords } from '../strings/composer.ts'
import { words } from '../strings/window.ts'
import type { RunOptions } from './use-run-options.ts'

interface Props {
  readonly options: RunOptions
  onFiles(files: readonly File[]): void
  readonly hint: string
  readonly running: string | null
  onStop(): void
  readonly cannotSend: boolean
  /** While a run is open, the button appears with the text. */
  readonly isSendable: boolean
}

export function ComposerBar({ options, onFiles, hint, running, onStop, cannotSend, isSendable }: Props) {
  const defaultModel = useWindowState((state) => state.status?.model.default_model ?? null)
  const picker = useRef<HTMLInputElement>(null)
  const wrong = useField('model')
  const models = useModelPicker({
    value: options.model,
    onChange(model) {
      wrong.onEdit()
      options.typeModel(model)
    },
    onChosen: (model) => void options.store({ model }),
  })
  return (
    <>
      <div className="px-4 empty:hidden">
        <FieldError id={wrong.errorId} error={wrong.error ?? options.problem} />
      </div>
      <div className="px-2.5 pb-2 empty:hidden">{models.list}</div>
      <div className="flex items-center gap-1.5 px-2.5 pb-2.5">
        <input
          ref={picker}
          type="file"
          multiple
          tabIndex={-1}
          aria-hidden="true"
          className="hidden"
          onChange={(event) => {
            onFiles([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <button
          type="button"
          onClick={() => picker.current?.click()}
          aria-label={writingWords.attach}
          title={writingWords.attach}
          className="icon-button"
        >
          <Icon name="clip" />
        </button>
        <span className="relative w-16 min-w-0 grow sm:w-44 sm:grow-0">
          <input
            {...models.input}
            {...wrong.input}
            onKeyDown={(event) => {
              models.input.onKeyDown(event)
              if (event.key !== 'Enter' || event.defaultPrevented) return
              // It chooses the model; the message is sent from its own box.
              event.preventDefault()
              void options.store()
              focusComposer()
            }}
            onBlur={() => void options.store()}
            id="composer-model"
            aria-label={words.composer.model}
            title={running === null ? words.composer.model : writingWords.modelOfNext}
            aria-description={running === null ? undefined : writingWords.modelOfNext}
            placeholder={defaultModel ?? words.composer.agentsModel}
            className="quiet-field block w-full pr-6"
          />
          <Icon name="open" size={12} className="pointer-events-none absolute top-2 right-1.5 text-soft" />
        </span>
        {running !== null && <span className="hidden shrink-0 text-faint text-xs sm:inline">{writingWords.fromNextRun}</span>}
        <select
          value={options.mode}
          onChange={(event) => void options.store({ mode: sandboxModes.find((one) => one === event.target.value) ?? '' })}
          aria-label={words.composer.sandbox}
          title={words.composer.sandbox}
          className="quiet-field shrink-0"
        >
          <option value="">{words.composer.agentsSandbox}</option>
          {sandboxModes.map((one) => (
            <option key={one} value={one}>
              {words.agents.sandboxModes[one]}
            </option>
          ))}
        </select>
        <span className="whole-or-none hidden w-0 grow text-faint text-xs sm:flex">{hint}</span>
        {running !== null && (
          <button type="button" onClick={onStop} aria-label={words.composer.stop} title={words.composer.stop} className="round-button">
            <Icon name="stop" />
          </button>
        )}
        {isSendable && (
          <button type="submit" disabled={cannotSend} aria-label={words.composer.send} title={words.composer.send} className="round-button">
            <Icon name="send" />
          </button>
        )}
      </div>
    </>
  )
}
