// The frame of the window: navigation on one side, the page on the other.
import { Suspense, useEffect, useRef } from 'react'
import { followLink, useAddress } from '../address.ts'
import { Logo } from '../part/logo.tsx'
import { PageError } from '../part/page-error.tsx'
import { PageHeading } from '../part/page-heading.tsx'
import { ThemeButton } from '../part/theme-button.tsx'
import { strings } from '../strings/map.ts'
import { pathOf } from './page-name.ts'
import { type Page, pageAt, pages } from './pages.ts'

export function TandemMap() {
  const path = useAddress()
  const page = pageAt(path)
  const content = useRef<HTMLElement>(null)
  useNewPage(page, content)
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-20 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2"
      >
        {strings.skip_to_content}
      </a>
      <Sidebar current={page} />
      <main
        id="content"
        ref={content}
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl px-4 pt-8 pb-20 outline-none sm:px-8 lg:px-12 lg:pt-14"
      >
        <PageError key={path}>
          <Suspense fallback={<p className="text-faint">{strings.loading}</p>}>{page ? <page.View /> : <NoSuchPage />}</Suspense>
        </PageError>
      </main>
    </div>
  )
}

function Sidebar({ current }: { current: Page | undefined }) {
  return (
    <header className="sticky top-0 z-10 border-line border-b bg-canvas/95 backdrop-blur lg:flex lg:h-dvh lg:flex-col lg:border-r lg:border-b-0 lg:bg-sunken">
      <div className="flex items-center justify-between px-4 pt-3 pb-1 sm:px-8 lg:px-5 lg:pt-6 lg:pb-4">
        <a href="/" onClick={followLink} className="flex items-center gap-2.5 rounded-md font-semibold tracking-tight">
          <Logo />
          {strings.product}
        </a>
        <ThemeButton />
      </div>
      <nav aria-label={strings.navigation} className="overflow-x-auto px-2 py-2 sm:px-6 lg:px-3">
        <ul className="flex gap-0.5 lg:flex-col">
          {pages.map((page) => (
            <li key={page.name}>
              <a
                href={page.path}
                onClick={followLink}
                aria-current={page === current ? 'page' : undefined}
                className="block whitespace-nowrap rounded-md px-2.5 py-1.5 text-soft hover:bg-line/50 hover:text-ink aria-[current]:bg-surface aria-[current]:font-medium aria-[current]:text-ink aria-[current]:shadow-card focus-visible:-outline-offset-2"
              >
                {strings.pages[page.name].name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <p className="mt-auto hidden px-5.5 py-6 text-[13px] text-faint lg:block">{strings.tagline}</p>
    </header>
  )
}

function NoSuchPage() {
  return (
    <>
      <PageHeading title={strings.not_found.title} lead={strings.not_found.lead} />
      <a href={pathOf('overview')} onClick={followLink} className="text-cloud underline underline-offset-4">
        {strings.not_found.back}
      </a>
    </>
  )
}

/** A new page begins at its top and takes the focus, so that a reader of the screen hears it; the first one does not steal it. */
function useNewPage(page: Page | undefined, content: React.RefObject<HTMLElement | null>) {
  const before = useRef<Page | undefined>(undefined)
  useEffect(() => {
    document.title = page ? `${strings.pages[page.name].name} · ${strings.product}` : strings.product
    if (before.current && before.current !== page) {
      scrollTo(0, 0)
      content.current?.focus({ preventScroll: true })
    }
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
    before.current = page
  }, [page, content])
}
