// `?`: all keyboard shortcuts, and the commands of the composer.
import { useEffect, useRef } from 'react'
import { slashCommands } from '../chat/slash-commands.ts'
import { Button } from '../part/form/button.tsx'
import { closeShortcuts, type ShortcutGroup, shortcutGroups, shortcuts } from '../part/shortcuts.ts'
import { commandKey } from '../strings/keys.ts'
import { type ShortcutName, shortcutWords } from '../strings/shortcuts.ts'
import { slashWords } from '../strings/slash.ts'
import { words } from '../strings/window.ts'

export function ShortcutsDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} onClose={closeShortcuts} aria-label={shortcutWords.title} className="palette max-h-[85vh] overflow-y-auto">
      <div className="p-4">
        <div className="sticky top-0 -mx-4 -mt-4 mb-3 flex items-center justify-between gap-4 border-line border-b bg-surface px-4 py-3">
          <h2 className="font-semibold text-lg tracking-tight">{shortcutWords.title}</h2>
          {/* First, so that the dialog opens at its top. */}
          <Button onClick={() => dialog.current?.close()}>{words.close}</Button>
        </div>
        {shortcutGroups.map((group) => (
          <section key={group} className="mb-4">
            <h3 className="mb-1 text-faint text-sm">{shortcutWords.groups[group]}</h3>
            <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1">
              {namesIn(group).map((name) => (
                <Row key={name} keys={keysOf(name)} text={shortcutWords.names[name]} />
              ))}
            </dl>
          </section>
        ))}
        <section className="mb-4">
          <h3 className="mb-1 text-faint text-sm">{shortcutWords.commands}</h3>
          <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1">
            {slashCommands.map(({ name }) => (
              <Row key={name} keys={[`/${name}`]} text={slashWords.summaries[name]} />
            ))}
          </dl>
        </section>
      </div>
    </dialog>
  )
}

function Row({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <>
      <dt className="flex flex-wrap items-start gap-1">
        {keys.map((key) => (
          <kbd key={key} className="rounded border border-line-strong bg-sunken px-1.5 font-mono text-[13px]">
            {key}
          </kbd>
        ))}
      </dt>
      <dd className="text-soft">{text}</dd>
    </>
  )
}

function namesIn(group: ShortcutGroup): readonly ShortcutName[] {
  return (Object.keys(shortcuts) as ShortcutName[]).filter((name) => shortcuts[name].group === group)
}

function keysOf(name: ShortcutName): readonly string[] {
  const { key, ...rest }: { readonly key: string; readonly command?: true; readonly shift?: true } = shortcuts[name]
  const { keys } = shortcutWords
  const printed = Object.hasOwn(keys, key) ? keys[key as keyof typeof keys] : key.toUpperCase()
  return [...(rest.command ? [commandKey] : []), ...(rest.shift ? [keys.Shift] : []), printed]
}
