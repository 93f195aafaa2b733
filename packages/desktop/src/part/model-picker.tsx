// A text field with the models that an address offers. Any other name can be typed.
import type { CommandParams } from '@tandem/contract/command'
import { type ListedModel, type ModelList, searchModels } from '@tandem/contract/model'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { modelWords } from '../strings/models.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { FieldError } from './form/form.tsx'
import { useField } from './form/use-form.ts'

const mostShown = 50

interface PickerOptions {
  readonly value: string
  onChange(model: string): void
  /** One of the list was chosen; `onChange` also reports what is typed. */
  onChosen?(model: string): void
  /** Where the models are if not at the address in use: an address that is not saved yet, or the account. */
  readonly source?: ModelSource | undefined
}

export type ModelSource = Pick<CommandParams<'model_catalog'>, 'model_base_url' | 'source'>

type Answer = { readonly of: string; readonly list: ModelList | null; readonly problem: string | null }

/** The properties of the input, and the list, which is placed by the caller. */
export function useModelPicker({ value, onChange, onChosen, source }: PickerOptions) {
  const { channel } = useRuntimeClient()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  /** Until something is typed, the list is complete. */
  const [query, setQuery] = useState('')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const of = JSON.stringify(source ?? {})
  useEffect(() => {
    if (!isOpen) return
    let isGone = false
    void channel.call('model_catalog', JSON.parse(of)).then((read) => {
      if (isGone) return
      setAnswer(
        read.ok
          ? { of, list: read.value, problem: read.value.problem && `${read.value.problem.message} ${read.value.problem.remedy}` }
          : { of, list: null, problem: read.error.message },
      )
    })
    return () => {
      isGone = true
    }
  }, [channel, isOpen, of])
  useEffect(() => {
    if (!isOpen) return
    // After the click: what is below the list must not move away from under the pointer.
    const close = ({ target }: MouseEvent) => {
      if (!(target instanceof Element && target.closest(`[data-picker="${id}"]`))) setOpen(false)
    }
    document.addEventListener('click', close)
    return () => document.removeEventListener('click', close)
  }, [isOpen, id])
  const known = answer?.of === of ? answer : null
  const found = searchModels(known?.list?.models ?? [], query, Number.POSITIVE_INFINITY)
  const shown = found.slice(0, mostShown)
  const open = () => {
    setOpen(true)
    setActive(-1)
    setQuery('')
  }
  const choose = ({ id: chosen }: ListedModel) => {
    onChange(chosen)
    onChosen?.(chosen)
    setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }
    const step = steps[event.key]
    const chosen = shown[active]
    if (!isOpen && event.key === 'ArrowDown') open()
    else if (isOpen && step !== undefined) setActive(Math.max(-1, Math.min(active + step, shown.length - 1)))
    else if (isOpen && event.key === 'Enter' && chosen) choose(chosen)
    else if (isOpen && event.key === 'Escape') setOpen(false)
    else {
      if (event.key === 'Tab' || event.key === 'Enter') setOpen(false)
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const input = {
    'data-picker': id,
    value,
    role: 'combobox',
    autoComplete: 'off',
    spellCheck: false,
    'aria-expanded': isOpen,
    'aria-controls': `${id}-list`,
    'aria-autocomplete': 'list' as const,
    'aria-activedescendant': isOpen && shown[active] ? `${id}-${active}` : undefined,
    onClick: () => !isOpen && open(),
    onKeyDown,
    onChange(event: { readonly target: { readonly value: string } }) {
      onChange(event.target.value)
      setQuery(event.target.value)
      setActive(-1)
      setOpen(true)
    },
  }
  const list = isOpen && (
    <div data-picker={id} className="min-w-0">
      <ListNotes known={known} found={found.length} />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={modelWords.list}
        className="max-h-64 overflow-y-auto rounded-lg border border-line bg-surface p-1 empty:hidden"
      >
        {shown.map((model, at) => (
          <Option key={model.id} id={`${id}-${at}`} model={model} isActive={at === active} onChoose={() => choose(model)} />
        ))}
      </div>
    </div>
  )
  return { input, list }
}

function ListNotes({ known, found }: { known: Answer | null; found: number }) {
  const list = known?.list
  const notes: (string | null)[] = [
    known === null ? modelWords.loading : null,
    known?.problem ?? null,
    list?.problem && list.seen_at !== null ? modelWords.lastSeen(formatTime(list.seen_at)) : null,
    list && list.models.length === 0 && list.problem === null ? modelWords.empty : null,
    list && list.models.length > 0 && found === 0 ? modelWords.noMatch : null,
    found > mostShown ? modelWords.more(found - mostShown) : null,
    list && list.omitted > 0 ? modelWords.omitted(list.omitted) : null,
  ]
  return (
    <div role="status" className="text-faint text-xs empty:hidden">
      {notes.flatMap((note) =>
        note === null || note === undefined
          ? []
          : [
              <p key={note} className="px-1 py-1">
                {visibleText(note)}
              </p>,
            ],
      )}
    </div>
  )
}

function Option({ id, model, isActive, onChoose }: { id: string; model: ListedModel; isActive: boolean; onChoose(): void }) {
  const price = model.billing === 'local' ? modelWords.local : model.price && modelWords.price(model.price)
  const facts = [...(model.name === null ? [] : [model.name]), ...modelWords.facts(model), ...(price ? [price] : [])]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      ref={(element) => void (isActive && element?.scrollIntoView({ block: 'nearest' }))}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className="cursor-pointer rounded-md px-2.5 py-1.5 hover:bg-sunken"
    >
      <p className="break-all font-mono text-[13px]">{visibleText(model.id)}</p>
      {facts.length > 0 && <p className="text-faint text-xs">{visibleText(facts.join(' · '))}</p>}
    </div>
  )
}

interface FieldProps extends PickerOptions {
  readonly label: string
  readonly field: string
  readonly hint?: string
  readonly children?: ReactNode
}

/** The picker as a field of a form. */
export function ModelField({ label, field, hint, children, ...options }: FieldProps) {
  const id = useId()
  const { error, errorId, input, onEdit } = useField(field)
  const picker = useModelPicker({
    ...options,
    onChange(model) {
      onEdit()
      options.onChange(model)
    },
  })
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-soft text-sm">
        {label}
      </label>
      <input id={id} placeholder={hint} title={hint} className="field w-full font-mono text-[13px]" {...picker.input} {...input} />
      <FieldError id={errorId} error={error} />
      <div className="mt-1 empty:hidden">{picker.list}</div>
      {children}
    </div>
  )
}
