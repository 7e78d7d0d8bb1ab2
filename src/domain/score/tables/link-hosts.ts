const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Endings that make a link of a name in a sentence. */
export const bareLinkDomains =
  set(`com net org info biz io ru xyz top site online shop store club website space live icu
  vip pro tech cloud click link buzz fun app dev ai uk de fr nl pl eu cn tk ml cf gq ga cc su ua by kz br au ca za jp kr
  tv agency digital marketing media email ly gl sbs cfd lol rest bond cyou monster quest work world today life`);
/** Endings that are also words, or the start of the next sentence. */
export const bareLinkDomainsWithPath = set('me co in it is to at be so no my do am us es se id gd pt ch');

export const shorteners =
  set(`bit.ly tinyurl.com goo.gl t.co ow.ly is.gd cutt.ly rb.gy rebrand.ly shorturl.at tiny.cc t.ly s.id
  bl.ink buff.ly adf.ly ouo.io shorte.st clck.ru vk.cc u.to v.gd qr.ae lnkd.in soo.gd shorturl.asia tr.ee
  linktr.ee bit.do shrinkme.io clk.sh urlz.fr kutt.it tny.im x.gd n9.cl acortar.link l8.nu t.me wa.me telegra.ph`);

/** Top-level domains that cost next to nothing and are mostly abused. */
export const cheapDomains =
  set(`xyz top site online club icu buzz click link fun space website live vip work tk ml cf gq ga
  su sbs cfd lol rest bond cyou monster quest loan win bid stream download review date racing trade party science
  cricket faith accountant men mom hair skin beauty makeup boats autos homes yachts pw ws zip mov`);
