// The conversations and the other pages. On narrow screens it slides in over the page.
import { useState } from 'react'
import { followLink, useAddress } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { Icon } from '../part/icon.tsx'
import { Logo } from '../part/logo.tsx'
import { ThemeButton } from '../part/theme-button.tsx'
import { useToday } from '../part/use-today.ts'
import { families, rootOf } from '../store/branches.ts'
import { writingWords } from '../strings/composer.ts'
import { words } from '../strings/window.ts'
import { ConversationLine } from './conversation-line.tsx'
import { dateGroups } from './date-groups.ts'
import { pageNames } from './pages.ts'
import { SearchResult } from './search-result.tsx'
import { useConversationSearch } from './use-search.ts'

export function Sidebar({ onPalette }: { onPalette(): void }) {
  const path = useAddress()
  const conversations = useWindowState((state) => state.conversations)
  const [showHidden, setShowHidden] = useState(false)
  const [sought, setSought] = useState('')
  const found = useConversationSearch(sought)
  const today = useToday()
  const shown = [...(conversations?.values() ?? [])]
    .filter(({ hidden }) => hidden === showHidden)
    .sort((left, right) => (left.updated_at < right.updated_at ? 1 : -1))
  const grouped = families(conversations, shown)
  const lines = new Map(grouped.map(({ first, members }) => [first.conversation_id, members]))
  return (
    <div className="flex h-full min-h-0 flex-col">
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
          <kbd className="ml-auto text-faint text-xs">{words.palette.key}</kbd>
        </button>
      </div>
      <h2 className="flex items-center justify-between px-4 pt-2 pb-1 text-faint text-xs">
        {words.conversations.title}
        <button type="button" onClick={() => setShowHidden(!showHidden)} className="rounded px-1 hover:text-ink">
          {words.conversations.hidden(showHidden)}
        </button>
      </h2>
      <div className="px-3 pb-1.5">
        <input
          type="search"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setSought('')}
          maxLength={200}
          aria-label={writingWords.search}
          placeholder={writingWords.search}
          className="field w-full py-1 text-sm"
        />
      </div>
      <nav aria-label={words.conversations.title} className="min-h-0 grow overflow-y-auto px-2 pb-2">
        {sought.trim() !== '' && (found === null || found.length === 0) && (
          <p role="status" className="px-2.5 py-1.5 text-faint text-sm">
            {found === null ? writingWords.searching : writingWords.nothing(sought.trim())}
          </p>
        )}
        {sought.trim() === '' && conversations && shown.length === 0 && (
          <p className="px-2.5 py-1.5 text-faint text-sm">{showHidden ? words.conversations.noneHidden : words.conversations.none}</p>
        )}
        {sought.trim() !== '' && (
          <ul className="flex flex-col gap-0.5">
            {found?.map((one) => (
              <SearchResult key={one.conversation_id} found={one} isCurrent={path === `/c/${one.conversation_id}`} />
            ))}
          </ul>
        )}
        {(sought.trim() === ''
          ? dateGroups(
              grouped.map(({ first }) => first),
              today,
            )
          : []
        ).map(({ name, items }) => (
          <div key={name}>
            <h3 className="px-2.5 pt-2 pb-1 text-faint text-xs">{words.conversations.groups[name]}</h3>
            <ul className="flex flex-col gap-0.5">
              {items.map((conversation) => {
                const members = lines.get(conversation.conversation_id) ?? [conversation]
                const current = members.find(({ conversation_id }) => path === `/c/${conversation_id}`)
                // While one of its branches is open, the line stays with it.
                return (
                  <ConversationLine
                    key={rootOf(conversations, conversation.conversation_id)}
                    conversation={current ?? conversation}
                    family={members}
                    isCurrent={current !== undefined}
                  />
                )
              })}
            </ul>
          </div>
        ))}
      </nav>
      <nav aria-label={words.navigation} className="border-line border-t px-2 py-2">
        <ul className="grid grid-cols-2 gap-0.5">
          {pageNames.map((place) => (
            <li key={place}>
              <a
                href={`/${place}`}
                onClick={followLink}
                aria-current={path === `/${place}` || path.startsWith(`/${place}/`) ? 'page' : undefined}
                className="side-link"
              >
                <Icon name={place} />
                {words.places[place]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}
