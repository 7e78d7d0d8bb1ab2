/** Ordinary leads, written for this evaluation. */
const lines = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

export const businessMessages = lines(`
We are a logistics company with 40 trucks and need a quote for your fleet tracking plan. Could someone call me on Thursday?
I saw your product at the fair in Hannover and would like a demo for our team of twelve.
Do you offer volume discounts for more than 500 seats? Our current contract ends in March.
Please send me your price list for the enterprise plan, we need to decide before the end of the quarter.
We currently use a competitor and are unhappy with support. What would migration look like?
Looking for a partner to implement this at our three sites in Austria. Budget is about 60k.
Can your API export to SAP? Our IT department asks for the documentation before we book a meeting.
Our agency manages websites for hotels and we would like to know whether you have a reseller program.
We provide cleaning services to hospitals and want to use your scheduling software. How much is it for 80 users?
I am the marketing manager of a small publisher. Could you tell me more about your newsletter feature?
Hello, my colleague Anna recommended you. We need help with payroll for 25 employees from January.
Is it possible to get a trial extension? We did not have time to test the reporting yet.
We would like to rent a meeting room for 20 people on 14 May, including lunch. Is it available?
Could you please quote 3 pallets from Rotterdam to Lyon, pickup next Monday?
I need spare parts for a compressor, model GX 7, serial number 449812. Do you have them in stock?
Please call me back regarding offer 2024-1187, I have two questions about the delivery date.
We are building a new office in Leeds and need 60 desks and chairs by September. Who is the right person to talk to?
Our school would like to book the museum tour for 28 pupils in June. What does it cost per child?
Hi, I found your website through Google and I am interested in your accounting service for my small business.
I would like to schedule a call about your services. We are a team of ten and our website needs a redesign.
We are looking for an SEO agency that can help us rank better in Germany. Can you send us a proposal?
Do you build mobile apps? We have an idea for our customers and would like to discuss the budget.
Our company is interested in becoming a distributor of your products in Portugal.
We came across your company on LinkedIn and would love to learn more about your warehouse robots.
Following up on our conversation at the conference: could you send the case study you mentioned?
Wir suchen einen Anbieter für die Wartung unserer Klimaanlagen an zwei Standorten. Bitte um ein Angebot.
Guten Tag, können Sie mir sagen, ob Ihr Produkt auch für Vereine geeignet ist? Vielen Dank und freundliche Grüße
Bonjour, nous souhaitons recevoir un devis pour 200 brochures en couleur. Merci d'avance.
Buenos días, quisiera saber el precio de la licencia para 15 usuarios y si hay soporte en español.
Vorrei sapere se effettuate spedizioni in Sardegna e quali sono i tempi di consegna.
Graag ontvang ik een offerte voor 40 zonnepanelen op ons magazijn in Breda.
Proszę o wycenę montażu bramy garażowej, wymiary 250 na 220 cm.
Gostaria de agendar uma visita técnica na próxima semana. Qual horário vocês têm disponível?
Merhaba, fiyat listenizi gönderebilir misiniz? Yaklaşık 50 kişilik bir ekibiz.
Hej, vi är intresserade av en demo för vårt kundtjänstteam.
Mohli byste mi prosím zaslat ceník a dodací podmínky?
Szeretnék árajánlatot kérni egy 120 négyzetméteres ház szigetelésére.
Xin chào, tôi muốn hỏi giá thuê xe từ Hà Nội đi Hạ Long cho 7 người.
Halo, apakah masih ada kamar untuk dua orang pada tanggal 12 Agustus?
Päivää, tarvitsisimme tarjouksen toimiston muutosta Tampereelta Helsinkiin.
Bună ziua, aș dori mai multe detalii despre cursul de limba germană.
`);

export const consumerMessages = lines(`
Hi, I ordered a lamp two weeks ago and it has not arrived yet. Order number 448201.
Are you open on Sundays?
I would like to book a table for four on Friday at 7 pm.
My daughter is 6 and would like to join the swimming course. Is there still a place?
The zip of the jacket is broken after one week, what can I do?
Do you repair washing machines? Mine does not spin any more.
Is the flat in Baker Street still available? I could visit any day after 5.
Can I pay by bank transfer instead of card?
I lost my membership card, how can I get a new one?
We are getting married next summer and love your garden. Do you host weddings?
How long does the battery last and can it be replaced?
Thanks for the quick help yesterday! One more question: can I wash it at 40 degrees?
I am allergic to nuts. Which of your cakes can I eat?
My puppy needs his second vaccination, when is the next free appointment?
Could you please send me the brochure? My address is 14 Mill Lane.
I can't log in any more, it says my password is wrong although I just changed it.
`);

export const shortMessages = lines(`
Call me
Please call back
More info please
Demo
Pricing?
Interested
Hi
hello
test drive
Yes
Brochure please
Need a quote
ok
Kontakt bitte
Bitte um Rückruf
Rückruf
Angebot
Info
Merci de me rappeler
Precio?
Quiero más información
ASAP
Quote for 2 windows
Tomorrow 3pm?
n/a
-
see above
Termin
Prospekt
Offerte
Fiyat
Cena?
Vorrei un preventivo
Orçamento
Thanks
`);

/** Names and messages that are not written in Latin letters. */
export const nonLatin: readonly (readonly [name: string, message: string])[] = lines(`
Иван Петров|Здравствуйте, хотел бы узнать стоимость установки окон в двухкомнатной квартире.
Елена Соколова|Подскажите, пожалуйста, есть ли доставка в Казань и сколько она стоит?
Олександр Шевченко|Доброго дня, цікавить ціна на ремонт даху площею 100 метрів.
王伟|您好，我想了解一下贵公司的产品价格，请尽快联系我。
李娜|请问你们周末营业吗？
陳大文|你好，想查詢一下課程的費用和上課時間，謝謝。
田中 太郎|はじめまして。来月の展示会について詳しい資料を送っていただけますか。
佐藤花子|見積もりをお願いします。数量は50個です。
김민수|안녕하세요, 견적 문의드립니다. 직원 30명이 사용할 예정입니다.
이지은|토요일에도 상담이 가능한가요?
محمد أحمد|مرحبا، أود معرفة أسعار الدورات التدريبية ومواعيدها.
فاطمة علي|هل يوجد توصيل إلى الرياض؟
علی رضایی|سلام، می‌خواستم درباره قیمت محصولات شما بدانم.
יוסי כהן|שלום, אשמח לקבל הצעת מחיר עבור שיפוץ מטבח.
Γιώργος Παπαδόπουλος|Καλησπέρα, θα ήθελα μια προσφορά για φωτοβολταϊκά.
राहुल शर्मा|नमस्ते, मुझे आपके कोर्स की फीस जाननी है।
สมชาย ใจดี|สวัสดีครับ อยากสอบถามราคาห้องพักสำหรับสองคน
Димитър Иванов|Здравейте, интересува ме цена за превод на договор от немски.
გიორგი ბერიძე|გამარჯობა, მაინტერესებს ფასი ოცი ადამიანისთვის.
Արամ Պետրոսյան|Բարև ձեզ, ցանկանում եմ իմանալ գինը։
`).map((line) => line.split('|') as [string, string]);
