/** Common first names that form bots put a tail to ("Masonfug"). Short ones would be the start of too many words. */
export const botFirstNames: readonly string[] =
  `aaron abraham adam adrian alan albert alex alexander alfred allen andrew andy angela anna anthony antonio arthur barbara
  benjamin bernard betty billy bobby bradley brandon brenda brian bruce bryan carl carlos carol catherine charles
  charlie chester christian christopher clarence clayton clifford clinton connie craig crystal curtis cynthia daniel
  danny david deborah dennis derek diane donald donna dorothy douglas duane dustin dwayne earnest eddie edgar edward
  edwin elizabeth elmer emily eric ernest eugene evelyn felix floyd frances francis frank franklin frederick gabriel
  gary gene geoffrey george gerald gilbert gloria gordon graham gregory harold harry harvey heather hector helen
  henry herbert herman howard isaac jack jackie jacob james jamie jane janet jason jeffrey jennifer jeremy jerome jerry
  jesse jessica jessie jimmy johnathan johnnie johnny jonathan jordan jorge jose joseph joshua judith julia julian julie
  justin karen kathleen keith kelly kenneth kevin kimberly larry laura lawrence leonard leroy leslie lester lewis linda
  lisa lloyd louis lucas marcus margaret maria marie mario mark martha martin marvin mary mason matthew maurice melvin
  michael michelle miguel milton mitchell morgan morris nancy nathan nathaniel nicholas nicole norman oscar pamela
  patricia patrick peter philip phillip rachel ralph randall randy raymond rebecca richard ricky robert robin rodney
  roger roland ronald ronnie rosie russell samuel sandra sarah scott sharon shawn shirley sidney simon stanley stephanie
  stephen steven stewart susan sylvia teresa terry theodore theresa thomas timothy todd tommy tracy travis tyler
  vernon victor victoria vincent virginia walter wanda warren wayne wesley wilbur willard william willie zachary`.split(
    /\s+/,
  );

/** Tails that make surnames and longer first names of them. */
export const surnameTails: ReadonlySet<string> = new Set(
  `son sons sen ssen ton tons man mann ham ville ina inas etta ette ella elle line lyn lynn lynne ann anne anna ane een
  ine ines ina ino inos ita ito ica ico ius iusz ous ovic ovich owski ski sky ska enko chuk yan ian iano iani ini ell
  els ett etts ley ley ford berg berger feld field wood well wells worth land lands stone stein bauer meier mayer maier
  kamp hof huis sson sohn dottir idis ides oulos akis ous eau ault ard ards art arts son s es ez iz az oz aise issa
  isha isa isia icia icio iel iela ielle ielly iana iane iano ene enes een eene eon eone aine ain ains ais aux eux bert
  beth mary rose grace marie jean paul jose luis ada ade ado adi adis ala alia alina amin ander anders andra andre andro
  andros ara aro aria ario arlo aud elena elia elina elio ella ello eline ena enne era erie eria eric erica ert este
  esta ester eta eus evic iak iek ika iko ila ilde ima inda ior ira iro iss isse iste ista itz itza ive ivo oli olin
  olina ola olo ona one onia ora ore orio orn oro osa ova ove ulla una ush usha wicz witz ward wick win wyn`.split(
    /\s+/,
  ),
);
