export function PageHeading({ title, lead }: { title: string; lead: string }) {
  return (
    <div className="mb-8 lg:mb-10">
      <h1 className="font-semibold text-3xl tracking-tight lg:text-[2.1rem]">{title}</h1>
      <p className="mt-2.5 max-w-2xl text-pretty text-[17px] text-soft leading-relaxed">{lead}</p>
    </div>
  )
}
