// The conversations, what needs an answer, and the places. On narrow screens it slides in over the page.
import { followLink, useAddress } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { Icon, type IconName } from '../part/icon.tsx'
import { Logo } from '../part/logo.tsx'
import { ThemeButton } from '../part/theme-button.tsx'
import { pendingCount } from '../store/pending.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { ConversationList } from './conversation-list.tsx'
import { type PlaceName, placeAddress, placeNames, placeOf } from './places.ts'

const icons: Record<PlaceName, IconName> = {
  chat: 'chat',
  runs: 'runs',
  agents: 'agents',
  tools: 'ToolCall',
  knowing: 'memory',
  workflows: 'workflows',
  devices: 'devices',
  settings: 'settings',
}

export function Sidebar({ onPalette }: { onPalette(): void }) {
  const path = useAddress()
  const place = placeOf(path)
  return (
    <div className="flex h-full min-h-0 flex-col overflow-y-auto">
      <div className="flex items-center justify-between px-4 pt-4 pb-2">
        <a href="/" onClick={followLink} className="flex items-center gap-2.5 rounded-md font-semibold tracking-tight">
          <Logo />
          {words.product}
        </a>
        <ThemeButton />
      </div>
      <div className="flex flex-col gap-0.5 px-2 pb-2">
        <a href="/" onClick={followLink} aria-current={path === '/' ? 'page' : undefined} className="side-link">
          <Icon name="plus" />
          {words.conversations.new}
        </a>
        <button type="button" onClick={onPalette} className="side-link">
          <Icon name="search" />
          {words.palette.open}
          <kbd className="ml-auto shrink-0 whitespace-nowrap text-faint text-xs">{words.palette.key}</kbd>
        </button>
        <PendingLink path={path} />
      </div>
      <ConversationList />
      <nav aria-label={words.navigation} className="shrink-0 border-line border-t px-2 py-1.5">
        <ul className="flex flex-col gap-0.5">
          {placeNames.map((name) => (
            <li key={name}>
              <a
                href={placeAddress(name)}
                onClick={followLink}
                aria-current={place === name ? (path === placeAddress(name) ? 'page' : 'true') : undefined}
                className="side-link py-1!"
              >
                <Icon name={icons[name]} />
                {navigationWords.places[name]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

/** Always there, so that the user knows the place before something waits in it. */
function PendingLink({ path }: { path: string }) {
  const waiting = useWindowState(pendingCount)
  return (
    <a href="/pending" onClick={followLink} aria-current={path === '/pending' ? 'page' : undefined} className="side-link">
      <Icon name="QuestionCard" />
      {navigationWords.pending.link}
      {waiting > 0 && (
        <span data-pending-count className="ml-auto shrink-0 rounded-full bg-warn px-1.5 font-medium text-canvas text-xs">
          {waiting}
          <span className="sr-only"> {navigationWords.pending.count(waiting)}</span>
        </span>
      )}
    </a>
  )
}
