// The page of something that does not exist here: what may have happened, and the way back.
import { followLink } from '../address.ts'
import { EmptyState, PageLayout } from './page-layout.tsx'

export function GonePage({ title, text, back }: { title: string; text: string; back: { href: string; label: string } }) {
  return (
    <PageLayout title={title} lead="">
      <p className="mb-4 text-sm">
        <a href={back.href} onClick={followLink} className="text-cloud underline underline-offset-4">
          {back.label}
        </a>
      </p>
      <EmptyState>{text}</EmptyState>
    </PageLayout>
  )
}
