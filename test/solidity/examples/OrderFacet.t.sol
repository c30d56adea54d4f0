// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {OrderFacet} from "../../../contracts/examples/OrderFacet.sol";
import {ReentrantTarget} from "../../../contracts/mocks/ReentrantTarget.sol";
import {SenderTaxToken} from "../../../contracts/mocks/SenderTaxToken.sol";
import {TradingPost} from "../../../contracts/mocks/TradingPost.sol";
import {Order} from "../../../contracts/records/Order.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {WaybillTest} from "../../../contracts/testing/WaybillTest.sol";
import {NativeAsToken} from "../support/NativeAsToken.sol";
import {Test} from "../support/Test.sol";

/// @title OrderFacetTest
/// @notice A swap spends the caller's money only: neither what the facet holds for others nor another caller's rest.
contract OrderFacetTest is Test, WaybillTest {
    address private constant USDC = address(0x05DC);
    uint256 private constant AMOUNT = 1_000;

    address private immutable THIEF = _account("thief");
    address private immutable VICTIM = _account("victim");

    OrderFacet private _facet;
    TradingPost private _router;
    ServiceContracts private _service;

    /// @dev Calldata of `swapAndDeposit`, with its orders as the ABI encodes them.
    struct Attempt {
        OrderFacet.BridgeData bridge;
        OrderFacet.Swap swap;
        Order.Data order;
        bytes signature;
    }

    function setUp() public {
        _enter(_localChain(8453));
        _service = _deployService();
        _router = new TradingPost();
        _facet = new OrderFacet(address(_service.depository), _solver(), address(_router));
        VM.deal(address(_router), 10 * AMOUNT);
    }

    function test_RevertWhen_OneBalanceCountsAsBoughtAndAsUnsold() public {
        NativeAsToken celo = new NativeAsToken();
        VM.deal(address(_facet), AMOUNT);
        VM.deal(THIEF, AMOUNT);
        VM.prank(THIEF);
        celo.approve(address(_facet), AMOUNT);

        // The router sells nothing, so all that was taken is left, and all of it has arrived.
        bytes memory data = _call(
            _attempt(
                THIEF,
                address(celo),
                AMOUNT,
                abi.encodeCall(_router.take, (0, IERC20(address(celo)), 0, 0))
            )
        );
        VM.prank(THIEF);
        (bool success, bytes memory reason) = address(_facet).call(data);
        _assertEq(success, false);
        _assertEq(reason, abi.encodeWithSelector(OrderFacet.HeldMoneySpent.selector, address(0), 0, AMOUNT));
        _assertEq(address(_facet).balance, AMOUNT);
    }

    function test_ASwapWithinASwapFailsAndTheRestStaysItsCallers() public {
        LocalToken token = _deployToken("ONE", 6);
        token.mint(VICTIM, AMOUNT);
        VM.prank(VICTIM);
        token.approve(address(_facet), AMOUNT);

        // A pool of the route calls the facet, whose router still has the victim's allowance.
        ReentrantTarget pool = new ReentrantTarget();
        Attempt memory theft = _attempt(THIEF, address(_deployToken("TWO", 6)), 0, "");
        theft.swap.data = abi.encodeCall(_router.take, (0, IERC20(address(token)), AMOUNT, AMOUNT));
        pool.arm(address(_facet), _call(theft));

        bytes memory route = abi.encodeCall(_router.take, (0, IERC20(address(pool)), 1, AMOUNT));
        bytes memory data = _call(_attempt(VICTIM, address(token), AMOUNT, route));
        VM.prank(VICTIM);
        (bool success, ) = address(_facet).call(data);
        _assertEq(success, true);
        _assertEq(pool.fired(), 1);
        _assertEq(pool.lastReturnData(), abi.encodePacked(OrderFacet.Reentrancy.selector));
        _assertEq(token.balanceOf(VICTIM), AMOUNT);
        _assertEq(address(_service.depository).balance, AMOUNT);
    }

    function test_RevertWhen_TheTokenTakesAFeeOfTheFacetsOwn() public {
        SenderTaxToken token = new SenderTaxToken();
        token.mint(THIEF, AMOUNT);
        token.mint(address(_facet), AMOUNT);
        token.setTax(70, address(_facet));
        VM.prank(THIEF);
        token.approve(address(_facet), AMOUNT);
        Attempt memory attempt = _attempt(THIEF, address(0), 0, "");
        OrderRequest memory request = _requestOf(THIEF);
        request.originCurrency = address(token);
        attempt.bridge.asset = address(token);
        (attempt.order, , attempt.signature) = _quoteOrder(request);
        bytes4 selector = OrderFacet.deposit.selector;
        bytes memory data = abi.encodeWithSelector(
            selector,
            attempt.bridge,
            attempt.order,
            attempt.signature
        );
        VM.prank(THIEF);
        (bool success, bytes memory reason) = address(_facet).call(data);
        _assertEq(success, false);
        _assertEq(
            reason,
            abi.encodeWithSelector(OrderFacet.HeldMoneySpent.selector, address(token), AMOUNT - 70, AMOUNT)
        );
    }

    /// @dev A swap to native currency, for an order that pays its caller.
    function _attempt(
        address caller,
        address soldAsset,
        uint256 soldAmount,
        bytes memory data
    ) private returns (Attempt memory attempt) {
        (attempt.order, , attempt.signature) = _quoteOrder(_requestOf(caller));
        attempt.bridge = OrderFacet.BridgeData({
            asset: address(0),
            minAmount: AMOUNT,
            destinationChainId: 42_161,
            receiver: abi.encodePacked(caller),
            outputAsset: abi.encodePacked(USDC),
            minOutput: AMOUNT,
            refundTo: caller,
            depositor: caller
        });
        attempt.swap = OrderFacet.Swap(soldAsset, soldAmount, address(0), data);
    }

    function _requestOf(address caller) private pure returns (OrderRequest memory request) {
        (request.originChain, request.destinationChain) = ("base", "arbitrum");
        request.originAmount = AMOUNT;
        request.destinationCurrency = USDC;
        request.minimumAmount = AMOUNT;
        (request.recipient, request.refundTo) = (caller, caller);
    }

    function _call(Attempt memory attempt) private pure returns (bytes memory) {
        return
            abi.encodeWithSelector(
                OrderFacet.swapAndDeposit.selector,
                attempt.bridge,
                attempt.swap,
                attempt.order,
                attempt.signature
            );
    }
}
