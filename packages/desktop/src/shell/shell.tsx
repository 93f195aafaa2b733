// The frame of the window: the sidebar with conversations and pages, the page, and errors.
import { Suspense, useEffect, useState } from 'react'
import { goTo, pageOf, useAddress } from '../address.ts'
import { Icon } from '../part/icon.tsx'
import { PageError } from '../part/page-error.tsx'
import { isShortcut, openShortcuts, useShortcutsDialog } from '../part/shortcuts.ts'
import { words } from '../strings/window.ts'
import { ConnectionBar } from './connection-bar.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { DeletedNotice } from './deletion-notice.tsx'
import { ErrorNotices } from './error-notices.tsx'
import { NotificationQuestion } from './notification-question.tsx'
import { Page } from './page.tsx'
import { Palette } from './palette.tsx'
import { PendingBar } from './pending-bar.tsx'
import { PlaceTabs } from './place-tabs.tsx'
import { useSettingField } from './setting-field.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { Sidebar } from './sidebar.tsx'
import { useNotifications, useSeen } from './use-notifications.ts'
import { WarningBar } from './warning-bar.tsx'

export function Shell() {
  const path = useAddress()
  const [drawer, setDrawer] = useState<'closed' | 'open'>('closed')
  const [palette, setPalette] = useState<'closed' | 'open'>('closed')
  const shortcutsDialog = useShortcutsDialog()
  useNotifications()
  useSeen(path)
  useSettingField(path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the user opens another page.
  useEffect(() => setDrawer('closed'), [path])
  useEffect(() => {
    const actions = {
      palette: () => setPalette((now) => (now === 'open' ? 'closed' : 'open')),
      sidebar: () => setDrawer((now) => (now === 'open' ? 'closed' : 'open')),
      settings: () => goTo('/settings'),
      composer: () => focusOn('#composer, #content textarea'),
      pending: toPending,
      help: openShortcuts,
    } as const
    const onKey = (event: KeyboardEvent) => {
      // A dialog closes first.
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) setDrawer('closed')
      const name = (Object.keys(actions) as (keyof typeof actions)[]).find((one) => isShortcut(event, one))
      // A question mark in a text is a question mark.
      if (!name || (name === 'help' && isTyping(event.target))) return
      event.preventDefault()
      actions[name]()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="flex h-dvh flex-col overflow-hidden min-[56rem]:grid min-[56rem]:grid-cols-[17rem_minmax(0,1fr)]">
      <a href="#content" className="skip-link">
        {words.skip}
      </a>
      <div className="flex items-center gap-2 border-line border-b bg-sunken px-2 py-1.5 min-[56rem]:hidden">
        <button
          type="button"
          onClick={() => setDrawer(drawer === 'open' ? 'closed' : 'open')}
          aria-label={words.menu}
          aria-expanded={drawer === 'open'}
          className="icon-button size-9"
        >
          <Icon name={drawer === 'open' ? 'close' : 'menu'} />
        </button>
        <span className="font-semibold tracking-tight">{words.product}</span>
      </div>
      <aside data-drawer={drawer} className="side">
        <Sidebar onPalette={() => setPalette('open')} />
      </aside>
      <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 grow flex-col outline-none">
        <ConnectionBar />
        <PendingBar path={pageOf(path)} />
        <NotificationQuestion />
        <PlaceTabs path={path} />
        {/* Positioned: otherwise texts for screen readers, which are absolute, would make the whole window scroll. */}
        <div className="relative min-h-0 grow overflow-y-auto">
          <PageError key={pageOf(path)}>
            <Suspense fallback={<p className="p-8 text-faint">{words.loading}</p>}>
              <Page path={path} />
            </Suspense>
          </PageError>
        </div>
        <ErrorNotices />
        <DeletedNotice />
        <WarningBar />
      </main>
      {palette === 'open' && <Palette onClose={() => setPalette('closed')} />}
      {shortcutsDialog === 'open' && <ShortcutsDialog />}
      <DeleteDialog />
    </div>
  )
}

/** What waits in the open conversation, or the page with what waits in all of them. */
function toPending(): void {
  if (document.querySelector('[role=alertdialog]')) focusOn('[role=alertdialog]')
  else goTo('/pending')
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

function focusOn(selector: string): void {
  const found = document.querySelector(selector)
  if (found instanceof HTMLElement) found.focus()
}
