import { followLink } from '../address.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { placeOf, placePages } from './places.ts'

/** The pages of the current place, if it has several. */
export function PlaceTabs({ path }: { path: string }) {
  const place = placeOf(path)
  if (place === null || place === 'chat' || placePages[place].length < 2) return null
  return (
    <nav aria-label={navigationWords.pagesOf(navigationWords.places[place])} className="shrink-0 overflow-x-auto border-line border-b">
      <div className="mx-auto flex w-full max-w-5xl gap-1 px-1.5 sm:px-5.5">
        {placePages[place].map((page) => (
          <a
            key={page}
            href={`/${page}`}
            onClick={followLink}
            aria-current={path === `/${page}` ? 'page' : path.startsWith(`/${page}/`) ? 'true' : undefined}
            className="place-tab"
          >
            {words.places[page]}
          </a>
        ))}
      </div>
    </nav>
  )
}
